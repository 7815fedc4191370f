/** What the load generator does, as Prometheus metrics. */
import { OUTCOMES, type Outcome } from "../../services/policy/outcome.ts";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";

export interface EndedRequest {
  readonly outcome: Outcome;
  /** From the time at which it was due, in milliseconds. */
  readonly latencyMs: number;
  /** False where it never got a connection. */
  readonly sent: boolean;
  readonly late: boolean;
}

/** Which run the load is for. */
export interface RunInfo {
  readonly policy: string;
  readonly scenario: string;
  /** As WORLD says; what is not Compose is told as processes. */
  readonly world: string;
  readonly seed: number | string;
}

export interface LoadWatch {
  due(): void;
  ended(request: EndedRequest): void;
  /** From now on the load is for this run. */
  runs(info: RunInfo): void;
}

/** A watch that counts into `metrics`; it may be called once for each of them. */
export function measuringLoad(metrics: Metrics): LoadWatch {
  const due = metrics.plainCounter(METRICS.clientDue);
  const started = metrics.plainCounter(METRICS.clientSent);
  const delayed = metrics.plainCounter(METRICS.clientLate);
  const dropped = metrics.plainCounter(METRICS.clientDropped);
  const requests = metrics.counter(METRICS.clientRequests, "outcome", OUTCOMES);
  const durations = metrics.durations(METRICS.clientDuration, "outcome", OUTCOMES);
  const info = metrics.info(METRICS.runInfo, ["policy", "scenario", "world", "seed"]);
  return {
    due,
    ended({ outcome, latencyMs, sent, late }) {
      requests[outcome]();
      durations[outcome](latencyMs / 1000);
      if (sent) started();
      else dropped();
      if (late) delayed();
    },
    runs: ({ policy, scenario, world, seed }) =>
      info({ policy, scenario, world: world === "compose" ? world : "process", seed: String(seed) }),
  };
}
