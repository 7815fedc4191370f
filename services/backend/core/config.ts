/** What a backend is made from, as plain data. */
import type { ConcurrencyLimitKind } from "../../policy/queue/concurrency-limit.ts";
import type { DedupMode } from "./idempotency-store.ts";
import type { FaultStep } from "../../contract/fault-timeline.ts";
import type { Faults } from "../../contract/faults.ts";
import type { QueueOrder } from "../../policy/queue/order.ts";

/** `queue`: they wait for a token (throttle.ts). `penalty`: they are slower and fail more often (penalty.ts). */
export const THROTTLES = ["queue", "penalty"] as const;
export type ThrottleKind = (typeof THROTTLES)[number];

/** Whether a call straggles by itself, at this replica, or its order does with all of its calls, wherever they go. */
export const STRAGGLERS_BY = ["call", "order"] as const;
export type StragglersBy = (typeof STRAGGLERS_BY)[number];

/** What the backend does about too many calls: its own part of a policy. */
export interface BackendDefences {
  /** Calls that may wait for a token; beyond it they are shed with 503. Infinity: only the safety limit holds. */
  readonly queueLimit: number;
  /** Seconds that a shed reply asks the caller to stay away, 0 or more. */
  readonly shedRetryAfterS: number;
  /** The status of a shed call: 503, or 429 as of a rate limit; 503 where absent. */
  readonly shedStatus?: number;
  /** Drop a queued call whose deadline has passed, instead of serving it. */
  readonly dropExpired: boolean;
  /** Drop a waiting call that could not be answered by its deadline any more, going by recent service times; false where absent. */
  readonly dropLate?: boolean;
  /** Let a caller who has gone away leave the queue. */
  readonly leaveOnDisconnect: boolean;
  /** Who is served next; fifo where absent. */
  readonly queueOrder?: QueueOrder;
  /** Shed from a queue that stands (policy/queue/codel.ts). */
  readonly codel?: boolean;
  /** A limit of the calls in the backend that it finds by itself; none where absent. */
  readonly concurrencyLimit?: ConcurrencyLimitKind;
  /** What a repeated idempotency key gets; "off" where absent. */
  readonly dedup?: DedupMode;
  /** How long an answer is kept for its key, in milliseconds, more than 0; ten minutes where absent. */
  readonly dedupTtlMs?: number;
}

export interface BackendConfig extends Faults, BackendDefences {
  /** The most tokens saved up, 1 or more; undefined: a tenth of the capacity. */
  readonly capacityBurst?: number | undefined;
  readonly timeline: readonly FaultStep[];
  /** How calls beyond the capacity fare; "queue" where absent. */
  readonly throttle?: ThrottleKind;
  /** Share of the good answers that get lost after the work is done, 0 to 1. */
  readonly responseLoss?: number;
  /** Share of the calls that take `stragglerMs` longer, 0 to 1. */
  readonly stragglerShare?: number;
  /** Whether single calls straggle, or all calls of an order; "call" where absent. */
  readonly stragglersBy?: StragglersBy;
  /** Replicas that divide the capacity, evenly but for a weak one, 1 to 8; 1 where absent. */
  readonly replicas?: number;
  /** The replica, 1 to n, where every call takes `stragglerMs` longer; none where absent. */
  readonly slowReplica?: number | undefined;
  /** The replica, 1 to n, that has `weakShare` of an even part of the capacity; none where absent. */
  readonly weakReplica?: number | undefined;
  /** Of an even part, 0 to 1; the other replicas divide what is left. 1 where absent. */
  readonly weakShare?: number;
  /** How long a replica takes to hear that a tied copy has begun elsewhere, in milliseconds; 0 where absent. */
  readonly tieCancelMs?: number;
}

/** What replica `number`, 1 to n, has of the whole capacity. */
export function capacityPart({ replicas = 1, weakReplica, weakShare = 1 }: BackendConfig, number: number): number {
  const even = 1 / replicas;
  if (weakReplica === undefined || replicas === 1) return even;
  return number === weakReplica ? even * weakShare : (1 - even * weakShare) / (replicas - 1);
}

/** No queue is endless: beyond this many waiting calls the process itself would be the fault. */
export const QUEUE_SAFETY_LIMIT = 100_000;

export const DEDUP_TTL_MS = 600_000;

/** A backend with room for everything that never fails, and no defence: 8 ms for each call. */
export const PLAIN_BACKEND: BackendConfig = {
  capacity: 100_000,
  errorRate: 0,
  latencyMs: 8,
  queueLimit: Infinity,
  shedRetryAfterS: 1,
  dropExpired: false,
  leaveOnDisconnect: false,
  timeline: [],
};
