/** What `GET /stats` and `POST /run` of a service answer: the counters that the tiers are reconciled by. */
import type { BackendCounts } from "./backend-counts.ts";
import type { Faults } from "./faults.ts";
import type { HedgeEvent } from "../policy/hedge/hedge.ts";
import type { Outcome, StopReason } from "../policy/outcome.ts";
import type { RetryPolicy } from "../policy/retry-policy.ts";

interface ProcessStats {
  /** The tier's name in the chain: edge, api, backend, … */
  readonly service: string;
  /** Requests that have arrived, are not answered yet, and whose callers still wait. */
  readonly inFlight: number;
  /** CPU milliseconds (user and system) that the process has used since it started. */
  readonly cpuMs: number;
  /** Milliseconds since the process started. */
  readonly uptimeMs: number;
  /** Milliseconds by which the event loop was late, 99th percentile since the run began. */
  readonly loopLagP99Ms: number;
  /** Of the collector of its spans. Absent where no spans are wanted. */
  readonly spans?: AwayStats;
}

/** What a service has heard of something beside the chain since the run began. */
export interface AwayStats {
  readonly answers: number;
  /** Milliseconds for which it has not answered; of several instances the longest. */
  readonly awayMs: number;
}

/** All counters count from the last `POST /run`. */
export interface HopStats extends ProcessStats {
  readonly kind: "hop";
  /** Logical requests. */
  readonly arrivals: number;
  /** Attempts begun. attempts − unsent = arrivals at the tier below. */
  readonly attempts: number;
  /** Attempts that never left: no connection, or cancelled while waiting for one. */
  readonly unsent: number;
  readonly attemptOutcomes: Readonly<Record<Outcome, number>>;
  /** Outcomes of logical requests. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly stopReasons: Readonly<Record<StopReason, number>>;
  /** What became of second copies: hedged and tied requests. */
  readonly hedges: Readonly<Record<HedgeEvent, number>>;
  /** null where nothing limits it. */
  readonly budgetBalance: number | null;
  /** Of the store of its shared budget. Absent where none is shared. */
  readonly store?: AwayStats;
}

export interface BackendStats extends ProcessStats, BackendCounts {
  readonly kind: "backend";
  readonly faultsHistory: readonly (Faults & { readonly atMs: number })[];
}

export type ServiceStats = HopStats | BackendStats;

/**
 * Body of `POST /run`: a run begins; counters go to zero, random numbers are drawn from `seed`, the fault timeline
 * starts.
 */
export interface RunRequest {
  readonly seed: number;
  /** The run's name, the same for all instances of a tier: a budget that they share begins afresh with it. */
  readonly run?: string;
}

/** A policy as JSON: Infinity travels as null. */
export type PolicyOnWire = { readonly [K in keyof RetryPolicy]: RetryPolicy[K] | null };

/** Answer of `POST /run`: what the service is, as it runs now. */
export type RunDescription =
  | { readonly service: string; readonly kind: "hop"; readonly policy: PolicyOnWire }
  | { readonly service: string; readonly kind: "backend"; readonly faults: Faults };
