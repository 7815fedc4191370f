/**
 * `summary.json`: what one run was and what came of it. `schema` rises when a field changes its meaning.
 *
 * A ratio of nothing, and a quantile of nothing, is null: neither 0, which would be good or bad, nor NaN.
 */
import type { HedgeEvent } from "../../services/policy/hedge/hedge.ts";
import type { BackendCounts } from "../../services/contract/backend-counts.ts";
import type { AwayStats } from "../../services/contract/stats.ts";
import type { Outcome, StopReason } from "../../services/policy/outcome.ts";

/** What a summary keeps of the backend's counts. */
export const BACKEND_COUNTS = [
  "ok",
  "failed",
  "shed",
  "expired",
  "left",
  "repeated",
  "lost",
  "waiting",
  "serving",
  "wasted",
  "abandoned",
  "longestQueue",
] as const satisfies readonly (keyof BackendCounts)[];
type BackendCount = (typeof BACKEND_COUNTS)[number];

export interface TierSummary {
  /** Logical requests that arrived. */
  readonly arrivals: number;
  /** Calls made to the tier below; 0 for the backend. */
  readonly attempts: number;
  /** Attempts that never left the tier (no connection). */
  readonly unsent: number;
  /** attempts − unsent − arrivals at the tier below: calls lost on the wire. 0 when the tiers reconcile. */
  readonly lost: number;
  /** The most attempts for each arrival that this hop's policy allows over this run; null where nothing bounds it. */
  readonly bound: number | null;
  /**
   * Share of one core that the process used while the schedule ran, 0 to 1, of several instances the mean; null in
   * virtual time.
   */
  readonly cpuShare: number | null;
  readonly stopReasons: Readonly<Partial<Record<StopReason, number>>>;
  /** What became of second copies; absent where the tier sends none. */
  readonly hedged?: Readonly<Record<HedgeEvent, number>>;
  /** What it heard of the store of its shared budget; absent where it shares none. */
  readonly store?: AwayStats;
  /** What it heard of the collector of its spans; absent where it sends none. */
  readonly spans?: AwayStats;
}

/** "noisy": disturbed, but not so much that it could have changed what came of the run (validity.ts). */
export type Validity = "valid" | "noisy" | "invalid";

export interface RunSummary {
  readonly schema: 2;
  readonly policy: string;
  readonly world: "compose" | "process" | "virtual";
  readonly scenario: string;
  readonly seed: number;
  readonly startedAt: string | null;
  /** Whether its numbers may be quoted: true for "valid" and for "noisy". */
  readonly valid: boolean;
  readonly validity: Validity;
  /** Why it is invalid; empty where it is not. */
  readonly invalidReasons: readonly string[];
  /** What was late, and too little to matter; may stand beside reasons that do matter. */
  readonly noisyReasons: readonly string[];
  readonly offeredRps: number;
  readonly durationSeconds: number;
  readonly clientRequests: number;
  readonly succeeded: number;
  /** 0 to 1; null where there was no request. */
  readonly successRate: number | null;
  /** Keyed by tier name, from the client's side down. */
  readonly tiers: Readonly<Record<string, TierSummary>>;
  readonly backendCalls: number;
  /** Backend calls / client requests; null where there was no request. */
  readonly amplification: number | null;
  /** Product of the hops' bounds; null where one is unbounded. */
  readonly amplificationBound: number | null;
  /** Backend calls whose caller had gone and that were served all the same (`wasted`), or are still there (`abandoned`). */
  readonly wastedBackendCalls: number;
  /** What became of them, at the end of the run; `ledgerOf` makes rows of it that add up to `backendCalls`. */
  readonly backend: Readonly<Record<BackendCount, number>>;
  /** Of all client requests, from the intended time; failures included. null where none has ended. */
  readonly latencyMs: Readonly<Record<"p50" | "p90" | "p99" | "p999" | "max", number | null>>;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Why the edge stopped, for each client request that it answered. */
  readonly stopReasons: Readonly<Partial<Record<StopReason, number>>>;
  readonly effects: number;
  readonly duplicateEffects: number;
  /**
   * The best that any policy could reach against this backend: min(1, capacity · (1 − error) / rate), and its price;
   * null where nothing was offered.
   */
  readonly limit: { readonly successRate: number | null; readonly amplification: number | null };
  /** successRate / limit.successRate; null where there was no request, or where no policy could have had a good answer. */
  readonly goodputOfLimit: number | null;
  /**
   * 99th percentile of each process's event loop lag while the schedule ran, in milliseconds: load, and the tiers. Absent
   * in virtual time.
   */
  readonly loopLagMs?: Readonly<Record<string, number>>;
  readonly generator: {
    readonly mode: "open" | "closed";
    readonly scheduled: number;
    readonly sent: number;
    /** Arrivals that were due and never sent. */
    readonly dropped: number;
    /** Arrivals sent more than 5 ms after they were due. */
    readonly late: number;
    /** null where none has ended. */
    readonly lateP99Ms: number | null;
    readonly lateMaxMs: number | null;
    readonly cpuShare: number | null;
  };
}
