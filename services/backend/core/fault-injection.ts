/**
 * Fault injection: whether one visit of one order is slow, fails, or loses its answer. It is seeded, so that policies
 * meet the same faults.
 */
import { uniform } from "../../policy/rng.ts";
import { FAULT_KEYS } from "../../policy/rng-keys.ts";
import type { Faults } from "../../contract/faults.ts";
import type { BackendConfig } from "./config.ts";

export interface Visit {
  readonly seed: number;
  /** The order's id. */
  readonly id: string;
  /** How often this order has been here before. */
  readonly n: number;
  /** The replica where it is, 1 to n; 0, or absent, where there is only one. */
  readonly replica?: number;
}

/** @param key of the stream that the visits of this order draw from */
function isInjected(key: string, { seed, n }: Visit, share: number): boolean {
  return share > 0 && uniform(seed, key, n) < share;
}

export function injectsError(visit: Visit, errorRate: number): boolean {
  return isInjected(FAULT_KEYS.error(visit.id), visit, errorRate);
}

/** Whether the answer gets lost once the work is done. */
export function injectsLoss(visit: Visit, { responseLoss = 0 }: BackendConfig): boolean {
  return isInjected(FAULT_KEYS.loss(visit.id), visit, responseLoss);
}

function isStraggler(visit: Visit, { stragglerShare = 0, stragglersBy, slowReplica }: BackendConfig): boolean {
  const { id, replica = 0 } = visit;
  if (replica > 0 && replica === slowReplica) return true;
  if (stragglersBy === "order") return isInjected(FAULT_KEYS.straggler(id, 0), { ...visit, n: 0 }, stragglerShare);
  return isInjected(FAULT_KEYS.straggler(id, replica), visit, stragglerShare);
}

/** Milliseconds that this visit takes longer than others under the faults that hold now. */
export function injectedDelayMs(visit: Visit, config: BackendConfig, { stragglerMs = 0 }: Faults): number {
  return stragglerMs > 0 && isStraggler(visit, config) ? stragglerMs : 0;
}
