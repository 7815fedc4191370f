/**
 * How much a hop takes on at once, as plain data: a limit of its own on what it works on, and a bounded queue before
 * it.
 *
 *     arrival → fewer than `limit` inside: begins → fewer than `queue` waiting: waits → else shed: 503 + Retry-After
 *
 * Without it a hop takes on everything, and holds a connection and memory for each request until the last attempt at it
 * has failed. Refusing costs neither an attempt nor a wait: the caller knows at once, and the callee below meets at
 * most `limit` requests of this hop at a time. By Little's law that also bounds the wait there: limit / throughput.
 *
 * Sources: Google SRE book ch. 21 and 22 (shed early and cheaply); Envoy's circuit-breaking thresholds (`max_requests`,
 * `max_pending_requests`); Netflix concurrency-limits.
 */
import type { QueueOrder } from "./queue/order.ts";

export const ADMISSION_KINDS = ["off", "fixed", "aimd", "gradient", "throughput"] as const;
export type AdmissionKind = (typeof ADMISSION_KINDS)[number];

export interface AdmissionPolicy {
  /**
   * Who sets the limit: a number, or what the hop learns from the latency of its own answers
   * (queue/concurrency-limit.ts) or from what its callee gets done (queue/throughput-limit.ts).
   */
  readonly kind: Exclude<AdmissionKind, "off">;
  /** With `fixed`: requests inside at once; 1 or more. */
  readonly limit: number;
  /** Requests that may wait to come in; 0 or more. */
  readonly queue: number;
  readonly order: QueueOrder;
  /** Whether requests are shed from a queue that stands (queue/codel.ts). */
  readonly codel: boolean;
  /** What a shed reply asks for, in milliseconds; 0 or more. */
  readonly retryAfterMs: number;
}
