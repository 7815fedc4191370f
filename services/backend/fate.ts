/** What luck has in store for one visit of one order: slow, failed, or answered in vain. */
import { uniform } from "../policy/luck.ts";
import type { BackendConfig } from "./backend-config.ts";

export interface Visit {
  readonly seed: number;
  /** The order's id. */
  readonly id: string;
  /** How often this order has been here before. */
  readonly n: number;
  /** The replica where it is, 1 to n; 0, or absent, where there is only one. */
  readonly replica?: number;
}

function befalls(kind: string, { seed, id, n }: Visit, share: number): boolean {
  return share > 0 && uniform(seed, kind + id, n) < share;
}

export function fails(visit: Visit, errorRate: number): boolean {
  return befalls("", visit, errorRate);
}

/** Whether the answer gets lost once the work is done. */
export function losesAnswer(visit: Visit, { responseLoss = 0 }: BackendConfig): boolean {
  return befalls("loss/", visit, responseLoss);
}

/** What a straggling call is slow for: bad luck of this call at this replica, or the order itself, wherever it goes. */
export const STRAGGLERS_BY = ["call", "order"] as const;
export type StragglersBy = (typeof STRAGGLERS_BY)[number];

function isStraggler(
  visit: Visit,
  { stragglerShare = 0, stragglersBy, slowReplica }: BackendConfig,
): boolean {
  const { replica = 0 } = visit;
  if (replica > 0 && replica === slowReplica) return true;
  if (stragglersBy === "order") return befalls("slow/", { ...visit, n: 0 }, stragglerShare);
  return befalls(replica === 0 ? "slow/" : `slow${replica}/`, visit, stragglerShare);
}

/** Milliseconds that this visit takes longer than others, if a straggler takes `stragglerMs` longer now. */
export function straggle(visit: Visit, config: BackendConfig, stragglerMs = 0): number {
  return stragglerMs > 0 && isStraggler(visit, config) ? stragglerMs : 0;
}
