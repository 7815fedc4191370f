/** Why the hops retried, and why they stopped. */
import type { Dashboard } from "@grafana/grafana-foundation-sdk/dashboard";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import { dashboard } from "./dashboard.ts";
import { now, quantile, rateExpression } from "./expressions.ts";
import { graph } from "./panels.ts";

const byHop = "{{service}}";

const decisions = [
  graph({
    title: "Why no further attempt",
    description: "Requests by the reason to stop, at each hop.",
    unit: "reqps",
    stacked: true,
    queries: [{ expr: rateExpression(METRICS.stops, {}, ["service", "reason"]), legend: "{{service}}: {{reason}}" }],
  }),
  graph({
    title: "Retries, and retries that the budget refused",
    description: "With a budget, what it refuses is load that the backend does not get.",
    unit: "reqps",
    queries: [
      { expr: rateExpression(METRICS.retries, {}, ["service"]), legend: `${byHop}: retries` },
      { expr: rateExpression(METRICS.budgetDenials, {}, ["service"]), legend: `${byHop}: refused` },
    ],
  }),
  graph({
    title: "Budget balance",
    description: "Retries that each hop could afford now. No line: no limit.",
    unit: "short",
    queries: [{ expr: `${now(METRICS.budgetBalance)} < +Inf`, legend: byHop }],
  }),
  graph({
    title: "Budget that instances share",
    description:
      "What a hop asks its budget store, what it gets, and what pays for its retries. All at 0: nobody shares a budget.",
    unit: "short",
    queries: [
      {
        expr: rateExpression(METRICS.fleetAnswers, {}, ["service", "answer"]),
        legend: "{{service}}: answers {{answer}}",
      },
      { expr: rateExpression(METRICS.fleetLeased, {}, ["service"]), legend: `${byHop}: retries leased` },
      {
        expr: rateExpression(METRICS.fleetRetries, {}, ["service", "source"]),
        legend: "{{service}}: paid by {{source}}",
      },
      { expr: now(METRICS.fleetAway), legend: `${byHop}: store away` },
    ],
  }),
  graph({
    title: "Breaker",
    description: "1 for the state that each hop's breaker is in.",
    unit: "short",
    queries: [{ expr: now(METRICS.breakerState), legend: "{{service}}: {{state}}" }],
  }),
  graph({
    title: "Second copies of reads",
    description: "Sent, won, held back by a bad sign, denied by the budget.",
    unit: "reqps",
    queries: [{ expr: rateExpression(METRICS.hedges, {}, ["event"]), legend: "{{event}}" }],
  }),
  graph({
    title: "Deadline that remains at arrival",
    description: "Median and the shortest tenth, at each hop. No line: nobody sends a deadline.",
    unit: "s",
    queries: [
      { expr: quantile(0.5, METRICS.deadlineRemaining, {}, ["service"]), legend: `${byHop}: p50` },
      { expr: quantile(0.1, METRICS.deadlineRemaining, {}, ["service"]), legend: `${byHop}: p10` },
    ],
  }),
];

const attempts = [
  graph({
    title: "Attempts by outcome",
    description: "What each hop sees of the tier below it.",
    unit: "reqps",
    stacked: true,
    queries: [
      {
        expr: rateExpression(METRICS.attempts, {}, ["service", "outcome"]),
        legend: "{{service}}: {{outcome}}",
      },
    ],
  }),
  graph({
    title: "Duration of attempts",
    description: "Median and 99th percentile, at each hop.",
    unit: "s",
    queries: [
      { expr: quantile(0.5, METRICS.attemptDuration, {}, ["service"]), legend: `${byHop}: p50` },
      { expr: quantile(0.99, METRICS.attemptDuration, {}, ["service"]), legend: `${byHop}: p99` },
    ],
  }),
  graph({
    title: "In flight, and waiting for a connection",
    description:
      "Requests that are not answered yet, those that wait to be taken on, and attempts that wait for a connection.",
    unit: "short",
    queries: [
      { expr: now(METRICS.inFlight), legend: `${byHop}: in flight` },
      { expr: now(METRICS.admissionWaiting), legend: `${byHop}: not taken on yet` },
      { expr: now(METRICS.upstreamWaiting), legend: `${byHop}: waiting` },
      { expr: rateExpression(METRICS.unsent, {}, ["service"]), legend: `${byHop}: never sent, per second` },
    ],
  }),
];

const trust = [
  graph({
    title: "Side effects of writes",
    description: "Effects, those beyond the first for one intention, and good answers that got lost.",
    unit: "reqps",
    queries: [
      { expr: rateExpression(METRICS.backendEffects), legend: "effects" },
      { expr: rateExpression(METRICS.backendDuplicates), legend: "duplicates" },
      { expr: rateExpression(METRICS.backendLost), legend: "answers lost" },
    ],
  }),
  graph({
    title: "The generator",
    description: "Late or dropped requests: then the numbers are those of the generator, not of the chain.",
    unit: "reqps",
    queries: [
      { expr: rateExpression(METRICS.clientDue), legend: "due" },
      { expr: rateExpression(METRICS.clientSent), legend: "sent" },
      { expr: rateExpression(METRICS.clientLate), legend: "late" },
      { expr: rateExpression(METRICS.clientDropped), legend: "dropped" },
      { expr: rateExpression(METRICS.clientRequests, { outcome: "ok" }), legend: "answered well" },
    ],
  }),
  graph({
    title: "Latency as the client sees it",
    description: "From the time at which a request was due.",
    unit: "s",
    queries: [0.5, 0.99].map((q) => ({ expr: quantile(q, METRICS.clientDuration), legend: `p${q * 100}` })),
  }),
  graph({
    title: "Event loop lag",
    description: "How late the programs themselves are: more than some 50 ms, and the machine is what is measured.",
    unit: "s",
    queries: [{ expr: "nodejs_eventloop_lag_p99_seconds", legend: byHop }],
  }),
  graph({
    title: "Faults in force",
    description: "What the backend was told to be: its error rate and its service time.",
    unit: "short",
    queries: [
      { expr: now(METRICS.backendErrorRate), legend: "share of errors" },
      { expr: now(METRICS.backendLatency), legend: "service time, in seconds" },
      { expr: now(METRICS.backendServing), legend: "being served" },
    ],
  }),
];

export const POLICY_INTERNALS: Dashboard = dashboard(
  {
    uid: "policy-internals",
    title: "Policy internals",
    description: "Why the hops retried, why they stopped, and whether the measurement itself is to be trusted.",
  },
  [...decisions, ...attempts, ...trust],
);
