/** The storm over time: what the backend counted, once a second, beside what the clients got. */
import type { Sample } from "../../../loadgen/core/series.ts";
import type { FaultStep } from "../../../services/contract/fault-timeline.ts";
import { FAULTS } from "../../../services/contract/faults.ts";
import type { Digest } from "./digest.ts";
import type { Mark, StormPoint } from "./model.ts";
import { exactPercent, list, value } from "../../../loadgen/core/format.ts";

const LATE_S = 0.25;

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;

/** What the digest alone knows: the stand-in for a run without samples. */
function unsampled(tS: number, offered: number, good: number): StormPoint {
  return { tS, offered, good, calls: null, capacity: null, perRequest: null, waiting: null };
}

function pointOf(tS: number, samples: readonly Sample[], offered: number, good: number): StormPoint {
  const last = samples.at(-1)?.backend;
  const calls = mean(samples.map((sample) => sample.backend.arrivals));
  if (last === undefined || calls === null) return unsampled(tS, offered, good);
  const { capacity, waiting } = last;
  return { tS, offered, calls, good, capacity, perRequest: offered > 0 ? calls / offered : null, waiting };
}

/** One point for each interval of the digest, up to the last call or the last good answer. */
export function stormOf(samples: readonly Sample[], { widthS, offered, good }: Digest): StormPoint[] {
  const sampled: Sample[][] = [];
  for (const sample of samples) {
    // A sample's time is its end; one that is a hair late still belongs to the interval that it measured.
    const interval = Math.max(0, Math.ceil((sample.tS - LATE_S) / widthS) - 1);
    (sampled[interval] ??= []).push(sample);
  }
  const busy = sampled.findLastIndex((each) => each.some(({ backend }) => backend.arrivals > 0));
  const length = Math.max(good.length, offered.length, busy + 1);
  return Array.from({ length }, (_, i) => pointOf((i + 0.5) * widthS, sampled[i] ?? [], offered[i] ?? 0, good[i] ?? 0));
}

/**
 * The storm with its capacity as planned: a sample tells what holds at its end, and so may show a change of that moment
 * one interval early.
 * @param initial capacity before the first step, in calls per second
 */
export function withPlannedCapacity(
  storm: readonly StormPoint[],
  initial: number,
  steps: readonly FaultStep[],
): StormPoint[] {
  const changes = [{ atMs: -Infinity, change: { capacity: initial } }, ...steps];
  return storm.map((point) => {
    const past = changes.filter(({ atMs, change }) => atMs <= point.tS * 1000 && change.capacity !== undefined);
    return point.capacity === null ? point : { ...point, capacity: past.at(-1)?.change.capacity ?? point.capacity };
  });
}

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
