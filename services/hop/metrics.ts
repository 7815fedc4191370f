/** What a hop does, as Prometheus metrics. */
import type { HopWatch } from "../contract/request.ts";
import { HEDGE_EVENTS } from "../policy/hedge/hedge.ts";
import { OUTCOMES, STOP_REASONS } from "../policy/outcome.ts";
import { ATTEMPT_LABELS, attemptLabel, METRICS } from "../telemetry/metric-names.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** A watch that counts into `metrics`; it may be called once for each of them. */
export function measuring(metrics: Metrics): HopWatch {
  const arrivals = metrics.plainCounter(METRICS.arrivals);
  const remaining = metrics.plainDurations(METRICS.deadlineRemaining);
  const requests = metrics.counter(METRICS.requests, "outcome", OUTCOMES);
  const requestDuration = metrics.durations(METRICS.requestDuration, "outcome", OUTCOMES);
  const attempts = metrics.counterBy(METRICS.attempts, ["outcome", "attempt"], OUTCOMES, ATTEMPT_LABELS);
  const attemptDuration = metrics.durations(METRICS.attemptDuration, "outcome", OUTCOMES);
  const retries = metrics.plainCounter(METRICS.retries);
  const stops = metrics.counter(METRICS.stops, "reason", STOP_REASONS);
  const denials = metrics.plainCounter(METRICS.budgetDenials);
  const hedges = metrics.counter(METRICS.hedges, "event", HEDGE_EVENTS);
  return {
    arrived({ remainingMs }) {
      arrivals();
      if (remainingMs !== undefined) remaining(Math.max(0, remainingMs) / 1000);
    },
    attemptEnded(sent, { outcome }, elapsedMs) {
      attempts[outcome][attemptLabel(sent.attempt)]();
      attemptDuration[outcome](elapsedMs / 1000);
    },
    decided(_sent, decision) {
      if (decision.retry) retries();
      else if (decision.reason === "budget_exhausted") denials();
    },
    hedged(_request, event) {
      hedges[event]();
    },
    ended(_request, outcome, { stop }, elapsedMs) {
      requests[outcome]();
      requestDuration[outcome](elapsedMs / 1000);
      stops[stop]();
    },
  };
}
