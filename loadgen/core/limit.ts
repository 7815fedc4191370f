/**
 * The best that any retry policy could reach against this backend at this load, and what it costs.
 *
 *     a good answer needs 1 / (1 − error) calls, so the backend gives at most  g(t) = capacity · (1 − error)
 *     good answers a second: what is offered and what has had to wait, as far as g(t) goes
 *
 *     success        = good answers until the load ends / requests
 *     amplification  = calls that those good answers need / requests
 *
 * With a steady load and a steady backend that is min(1, capacity · (1 − error) / rate). Requests wait in it as long as
 * they have to, so that no deadline and no queue can beat it in the long run. A run of a few seconds can: what the
 * throttle saved up before is left out (a tenth of a second's worth), and so is what is answered after the load's end.
 */
import { faultsAt } from "./series.ts";
import { ratioOf } from "./ratio.ts";
import { offered } from "./schedule.ts";
import type { RateStep } from "../../services/settings/rate-profile.ts";

export interface FaultsFrom {
  readonly atMs: number;
  /** Calls per second. */
  readonly capacity: number;
  /** 0 to 1. */
  readonly errorRate: number;
}

export interface LoadPlan {
  readonly rate: number;
  readonly durationS: number;
  readonly rateProfile: readonly RateStep[];
}

export interface Limit {
  /** 0 to 1; null where nothing was offered. */
  readonly successRate: number | null;
  /** null likewise. */
  readonly amplification: number | null;
}

/** Time is cut at each change, and no slice is longer than a thousandth of the run. */
function cuts({ durationS, rateProfile }: LoadPlan, history: readonly FaultsFrom[]): number[] {
  const even = Array.from({ length: 1001 }, (_, i) => (durationS * i) / 1000);
  const changes = [...rateProfile.map(({ atS }) => atS), ...history.map(({ atMs }) => atMs / 1000)];
  const inside = changes.filter((atS) => atS > 0 && atS < durationS);
  return [...new Set([...even, ...inside])].toSorted((a, b) => a - b);
}

/**
 * @param history the backend's faults since the run began, oldest first
 */
export function limitOf(plan: LoadPlan, history: readonly FaultsFrom[]): Limit {
  let [waiting, good, calls, due] = [0, 0, 0, 0];
  const times = cuts(plan, history);
  for (const [i, endS] of times.entries()) {
    const beginS = times[i - 1];
    if (beginS === undefined) continue;
    const dueByEnd = offered({ ...plan, durationS: endS });
    const { capacity, errorRate } = faultsAt(history, beginS * 1000) ?? { capacity: Infinity, errorRate: 0 };
    const possible = capacity * (1 - errorRate) * (endS - beginS);
    const wanted = waiting + dueByEnd - due;
    const answered = Math.min(wanted, possible);
    waiting = wanted - answered;
    good += answered;
    if (answered > 0) calls += answered / (1 - errorRate);
    due = dueByEnd;
  }
  return { successRate: ratioOf(good, due), amplification: ratioOf(calls, due) };
}

/**
 * Calls that the best policy makes for each request at one moment: what a good answer needs, as far as the capacity goes.
 * @param offeredRps requests per second
 * @returns null where nothing is offered, or nothing can be answered well
 */
export function callsNeeded({ capacity, errorRate }: Omit<FaultsFrom, "atMs">, offeredRps: number): number | null {
  return offeredRps > 0 && errorRate < 1 ? Math.min(1 / (1 - errorRate), capacity / offeredRps) : null;
}
