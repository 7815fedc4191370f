/**
 * The struggling dependency.
 *
 *     arrival → [known key] → [limit, bounded queue, or shed] → wait for a token → service latency → ok, or an error
 *
 * By default it is naive in the way that hurts: a caller who has gone away does not leave the queue, so a token is
 * wasted. The options (bounded queue, other orders, drop of expired deadlines, leave on disconnect, limits that learn,
 * keys that are remembered) are what a better dependency does.
 *
 * Whether a call fails is decided by the order's id and how often that order has been here before, not by a stream
 * that all calls share: two policies that call a different number of times still meet the same faults.
 *
 * With replicas, the capacity (and with it burst and queue bound) is the whole backend's and is divided evenly.
 */
import type { Clock } from "../../policy/clock.ts";
import type { Backend } from "./backend.ts";
import type { BackendConfig } from "./config.ts";
import { PenaltyBackend } from "./penalty-backend.ts";
import { inOne } from "./replicas.ts";
import { Replica } from "./replica.ts";
import { createShared } from "./shared-state.ts";

export type { Backend } from "./backend.ts";
export { QUEUE_SAFETY_LIMIT, type BackendConfig, type BackendDefences } from "./config.ts";
export type { FaultsSince } from "./faults-in-force.ts";

export function createBackend(config: BackendConfig, clock: Clock, seed: number): Backend {
  const shared = createShared(config, clock);
  const { replicas = 1 } = config;
  if (config.throttle === "penalty") return new PenaltyBackend(config, clock, shared, seed);
  if (replicas === 1) return new Replica({ config, clock, shared, number: 0 }, seed);
  return inOne(Array.from({ length: replicas }, (_, i) => new Replica({ config, clock, shared, number: i + 1 }, seed)));
}
