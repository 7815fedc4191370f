/** The storm over time: what the backend counted, once a second, beside what the clients got. */
import type { Sample } from "../../../loadgen/core/series.ts";
import type { FaultStep } from "../../../services/contract/fault-timeline.ts";
import { FAULTS } from "../../../services/contract/faults.ts";
import { callsNeeded } from "../../../loadgen/core/limit.ts";
import type { Digest } from "./digest.ts";
import type { Mark, StormPoint } from "./model.ts";
import { beginOf, intervalAt, lengthOf, middleOf, MOST_INTERVALS, type TimeGrid } from "./time-grid.ts";
import { exactPercent, list, value } from "../../../loadgen/core/format.ts";

/** A sample that ends this near to the end of an interval is one of that interval, a hair late or early. */
const LATE_S = 0.25;

/** What the samples say of one interval. */
interface Counted {
  calls: number;
  /** Seconds of it that a sample lasted. */
  coveredS: number;
  last: Sample["backend"] | undefined;
}

function nearest(grid: TimeGrid, tS: number): number {
  const interval = intervalAt(grid, tS);
  const edge = [beginOf(grid, interval), beginOf(grid, interval + 1)].find((at) => Math.abs(at - tS) < LATE_S);
  return edge ?? tS;
}

/** Spreads each sample over the intervals that it lasted. */
function countedBy(samples: readonly Sample[], grid: TimeGrid): Counted[] {
  const counted: Counted[] = [];
  const at = (interval: number): Counted => (counted[interval] ??= { calls: 0, coveredS: 0, last: undefined });
  let beganS = 0;
  for (const { tS, backend } of samples) {
    const [fromS, toS] = [nearest(grid, beganS), nearest(grid, tS)];
    // Shorter than it may be late: its calls count, and the time does not.
    if (!(toS > fromS)) at(intervalAt(grid, (beganS + tS) / 2)).calls += backend.arrivals * (tS - beganS);
    for (let interval = intervalAt(grid, fromS); beginOf(grid, interval) < toS; interval += 1) {
      const within = Math.min(toS, beginOf(grid, interval + 1)) - Math.max(fromS, beginOf(grid, interval));
      if (!(within > 0) || interval > MOST_INTERVALS) break;
      const one = at(interval);
      one.calls += backend.arrivals * within;
      one.coveredS += within;
      one.last = backend;
    }
    beganS = tS;
  }
  return counted;
}

/** Calls a second; null where nobody looked. After the load's end what nobody looked at was over. */
function callRate({ calls, coveredS }: Counted, interval: number, grid: TimeGrid): number | null {
  const lengthS = interval < grid.underLoad ? coveredS : lengthOf(grid, interval);
  return lengthS > 0 ? calls / lengthS : null;
}

/** One point for each interval of the digest, up to the last call or the last good answer. */
export function stormOf(samples: readonly Sample[], { grid, offered: due, good }: Digest): StormPoint[] {
  const counted = countedBy(samples, grid);
  const busy = counted.findLastIndex((each) => each !== undefined && each.calls > 0);
  const length = Math.max(good.length, due.length, busy + 1);
  return Array.from({ length }, (_, interval) => {
    const one = counted[interval];
    const [calls, last] = one === undefined ? [null, undefined] : [callRate(one, interval, grid), one.last];
    const offered = due[interval] ?? 0;
    return {
      tS: middleOf(grid, interval),
      lengthS: lengthOf(grid, interval),
      offered,
      good: good[interval] ?? 0,
      calls,
      capacity: last?.capacity ?? null,
      perRequest: calls !== null && offered > 0 ? calls / offered : null,
      needed: last === undefined ? null : callsNeeded(last, offered),
      waiting: last?.waiting ?? null,
    };
  });
}

export interface Planned {
  readonly capacity: number;
  readonly errorRate: number;
}

/**
 * The storm with the backend as planned: a sample tells what holds at its end, and so may show a change of that moment one
 * interval early.
 * @param initial before the first step; capacity in calls per second
 */
export function asPlanned(storm: readonly StormPoint[], initial: Planned, steps: readonly FaultStep[]): StormPoint[] {
  return storm.map((point) => {
    if (point.capacity === null) return point;
    const past = steps.filter(({ atMs }) => atMs <= point.tS * 1000).map(({ change }) => change);
    const then = past.reduce<Planned>((now, { capacity, errorRate }) => {
      return { capacity: capacity ?? now.capacity, errorRate: errorRate ?? now.errorRate };
    }, initial);
    return { ...point, capacity: then.capacity, needed: callsNeeded(then, point.offered ?? 0) };
  });
}

/** Where nothing changes at the backend, and nothing at the load by plan, the limit of the whole run is that of each moment. */
export const atOneLimit = (storm: readonly StormPoint[], needed: number | null): StormPoint[] =>
  storm.map((point) => (point.needed === null ? point : { ...point, needed }));

const KEYS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Each moment at which the backend changed. More than 26 could not be told apart in a chart: the rest is left out. */
function marksOf(moments: readonly { readonly tS: number; readonly text: string }[]): Mark[] {
  return moments.slice(0, KEYS.length).map((moment, i) => ({ ...moment, key: KEYS.charAt(i) }));
}

function changeText(change: FaultStep["change"]): string {
  const parts = FAULTS.flatMap((fault) => {
    const now = change[fault.key];
    return now === undefined ? [] : [fault.text("percent" in fault ? exactPercent(now) : value(now))];
  });
  return list(parts);
}

/** The marks of a planned timeline, to the millisecond. */
export function plannedMarks(steps: readonly FaultStep[]): Mark[] {
  return marksOf(steps.map(({ atMs, change }) => ({ tS: atMs / 1000, text: changeText(change) })));
}

/** The marks of changes made by hand: seen between two samples, and so known to one interval. */
export function seenMarks(samples: readonly Sample[]): Mark[] {
  const moments: { tS: number; text: string }[] = [];
  samples.forEach(({ backend }, i) => {
    const before = samples[i - 1];
    if (before === undefined) return;
    const change: { capacity?: number; errorRate?: number } = {};
    if (backend.capacity !== before.backend.capacity) change.capacity = backend.capacity;
    if (backend.errorRate !== before.backend.errorRate) change.errorRate = backend.errorRate;
    if (Object.keys(change).length > 0) moments.push({ tS: before.tS, text: changeText(change) });
  });
  return marksOf(moments);
}
