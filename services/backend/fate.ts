/** What luck has in store for one visit of one order: slow, failed, or answered in vain. */
import { uniform } from "../policy/luck.ts";
import type { BackendConfig } from "./backend-config.ts";

export interface Visit {
  readonly seed: number;
  /** The order's id. */
  readonly id: string;
  /** How often this order has been here before. */
  readonly n: number;
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

/** Milliseconds that this visit takes longer than others. */
export function straggle(visit: Visit, { stragglerShare = 0, stragglerMs = 0 }: BackendConfig): number {
  return befalls("slow/", visit, stragglerShare) ? stragglerMs : 0;
}
