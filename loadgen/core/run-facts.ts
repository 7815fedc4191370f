/** All that is known of a run when it is over: what `summarise` makes a summary of, whichever world it was made in. */
import type { RunDescription, ServiceStats } from "../../services/contract/stats.ts";
import type { Outcome, StopReason } from "../../services/policy/outcome.ts";
import type { RateStep } from "../../services/settings/rate-profile.ts";
import type { RunSummary } from "./run-summary.ts";

export type {
  BackendStats,
  HopStats,
  PolicyOnWire,
  RunDescription,
  ServiceStats,
} from "../../services/contract/stats.ts";

/** What the client's records add up to (tally.ts). */
export interface ClientFigures {
  /** Requests that the schedule asked for; in a closed loop, those that were sent. */
  readonly due: number;
  /** Requests that ended one way or the other; each has a record. */
  readonly ended: number;
  /** Of those, requests that never got a connection. */
  readonly unsent: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly stopReasons: Readonly<Partial<Record<StopReason, number>>>;
  readonly latencyMs: RunSummary["latencyMs"];
  /** Requests sent more than `LATE_AFTER_MS` after they were due. */
  readonly late: number;
  /** null where no request has ended, as are the latencies. */
  readonly lateP99Ms: number | null;
  readonly lateMaxMs: number | null;
}

/** One tier of the chain. */
export interface TierFacts {
  readonly description: RunDescription;
  /** As the run began; absent where there is no process. */
  readonly begun?: ServiceStats | undefined;
  /** As the schedule ended: CPU and lag count until then. Absent where there is no process, or it did not answer. */
  readonly loaded?: ServiceStats | undefined;
  /** The last that is known of it; the final counters, unless the tier or the run ended early. */
  readonly last: ServiceStats;
}

export interface RunFacts {
  readonly policy: string;
  readonly world: RunSummary["world"];
  readonly scenario: string;
  readonly seed: number;
  /** ISO 8601; null in virtual time. */
  readonly startedAt: string | null;
  readonly mode: "open" | "closed";
  readonly plan: {
    readonly rate: number;
    readonly durationS: number;
    readonly rateProfile: readonly RateStep[];
  };
  /** Seconds from the beginning of the schedule to its end; less than planned where it was stopped early. */
  readonly loadedS: number;
  /** Seconds from the services' fresh budgets to the last answer: what a floor of retries per second counts over. */
  readonly elapsedS: number;
  readonly client: ClientFigures;
  /** The load program's own share of one core over the schedule's time, 0 to 1; null where there is no process. */
  readonly clientCpuShare: number | null;
  /** 99th percentile of the load program's own event loop lag in that time, in milliseconds; null likewise. */
  readonly clientLagMs: number | null;
  /** The client's patience in milliseconds; Infinity for no end. */
  readonly clientTimeoutMs: number;
  /** From the client's side down; the backend is the last. */
  readonly tiers: readonly TierFacts[];
  /** Requests that were still under way, at the client or at any hop, when waiting for them ended. */
  readonly underWay: number;
  /** What went wrong during the run: an interruption, a tier that stopped answering. Each makes the run invalid. */
  readonly incidents: readonly string[];
}
