/** The page that the room looks at: a storm that starts, feeds itself, and stops. */
import type { Dashboard } from "@grafana/grafana-foundation-sdk/dashboard";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import { dashboard } from "./dashboard.ts";
import { ENTRY, GOODPUT_LIMIT, growth, increase, LAST, now, quantile, rateExpression, ratio } from "./expressions.ts";
import { graph, stat } from "./panels.ts";

const entry = { service: ENTRY };
const last = { service: LAST };
const ok = { ...entry, outcome: "ok" };

const headlines = [
  stat({
    title: "Amplification",
    description: "Backend calls for each client request, over the whole range. 1 = every request costs one call.",
    unit: "x",
    decimals: 2,
    expr: ratio(increase(METRICS.arrivals, last), increase(METRICS.arrivals, entry)),
    steps: [
      { value: null, color: "green" },
      { value: 2, color: "orange" },
      { value: 4, color: "red" },
    ],
  }),
  stat({
    title: "Succeeded",
    description: "Share of the client requests that ended well, over the whole range.",
    unit: "percentunit",
    decimals: 1,
    expr: ratio(increase(METRICS.requests, ok), increase(METRICS.requests, entry)),
    steps: [
      { value: null, color: "red" },
      { value: 0.5, color: "orange" },
      { value: 0.8, color: "green" },
    ],
  }),
  stat({
    title: "Wasted calls",
    description:
      "Share of the backend's calls whose caller had gone, over the whole range: served all the same, or still waiting.",
    unit: "percentunit",
    decimals: 1,
    expr: ratio(
      `(${increase(METRICS.backendWasted)} + ${growth(METRICS.backendAbandoned)})`,
      increase(METRICS.arrivals, last),
    ),
    steps: [
      { value: null, color: "green" },
      { value: 0.05, color: "orange" },
      { value: 0.25, color: "red" },
    ],
  }),
  stat({
    title: "Calls waiting at the backend",
    description: "The backend's queue now.",
    unit: "short",
    decimals: 0,
    expr: `sum(${now(METRICS.backendQueue)})`,
    steps: [
      { value: null, color: "green" },
      { value: 20, color: "orange" },
      { value: 100, color: "red" },
    ],
  }),
];

const load = [
  graph({
    title: "Amplification by hop",
    description: "Attempts for each request at a hop; the whole chain multiplies them.",
    unit: "x",
    queries: [
      {
        expr: ratio(rateExpression(METRICS.arrivals, last), rateExpression(METRICS.arrivals, entry)),
        legend: "whole chain",
      },
      {
        expr: ratio(
          rateExpression(METRICS.attempts, {}, ["service"]),
          rateExpression(METRICS.requests, {}, ["service"]),
        ),
        legend: "{{service}}",
      },
    ],
  }),
  graph({
    title: "Offered, served well, and the limit",
    description:
      "Goodput below the limit while the backend's arrivals are far above the offered load: that is a retry storm.",
    unit: "reqps",
    queries: [
      { expr: rateExpression(METRICS.arrivals, entry), legend: "offered" },
      { expr: rateExpression(METRICS.requests, ok), legend: "served well" },
      { expr: GOODPUT_LIMIT, legend: "limit" },
      { expr: rateExpression(METRICS.arrivals, last), legend: "arrivals at the backend" },
      { expr: `sum(${now(METRICS.backendCapacity)})`, legend: "capacity of the backend" },
    ],
  }),
  graph({
    title: "Success",
    description: "Share of the requests at the edge that end well.",
    unit: "percentunit",
    queries: [
      {
        expr: ratio(rateExpression(METRICS.requests, ok), rateExpression(METRICS.requests, entry)),
        legend: "succeeded",
      },
    ],
  }),
  graph({
    title: "Latency at the edge",
    description: "From arrival to answer, good or bad. In a storm all requests wait for all of their timeouts.",
    unit: "s",
    queries: [0.5, 0.9, 0.99].map((q) => ({
      expr: quantile(q, METRICS.requestDuration, entry),
      legend: `p${q * 100}`,
    })),
  }),
];

const causes = [
  graph({
    title: "First tries and retries",
    description: "Attempts of all hops by their number: what is above 1 is load that the chain makes by itself.",
    unit: "reqps",
    stacked: true,
    queries: [{ expr: rateExpression(METRICS.attempts, {}, ["attempt"]), legend: "attempt {{attempt}}" }],
  }),
  graph({
    title: "Queue and tokens of the backend",
    description: "A queue that only grows, and no token left: the backend is over its capacity.",
    unit: "short",
    queries: [
      { expr: `sum(${now(METRICS.backendQueue)})`, legend: "waiting" },
      { expr: `sum(${now(METRICS.backendAbandoned)})`, legend: "of callers who have gone" },
      { expr: `sum(${now(METRICS.backendTokens)})`, legend: "tokens" },
    ],
  }),
  graph({
    title: "Retry budget",
    description: "Retries that each hop could afford now. No line: no limit.",
    unit: "short",
    queries: [{ expr: `${now(METRICS.budgetBalance)} < +Inf`, legend: "{{service}}" }],
  }),
  graph({
    title: "The backend's work",
    description: "How its calls end, and how many of them were served for nobody: their caller had gone.",
    unit: "reqps",
    queries: [
      { expr: rateExpression(METRICS.backendCalls, {}, ["result"]), legend: "{{result}}" },
      { expr: rateExpression(METRICS.backendWasted), legend: "served for nobody" },
    ],
  }),
];

export const STORM_DASHBOARD: Dashboard = dashboard(
  {
    uid: "retry-storm",
    title: "Storm",
    description: "How many calls the backend gets for each request of a client, and what becomes of them.",
  },
  [...headlines, ...load, ...causes],
);
