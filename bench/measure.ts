/** Medians and spreads of repeated measurements. The host's speed varies twofold: only ratios within a run count. */
import { fixed, interval, type Middle } from "../loadgen/core/format.ts";

/** Of one or more values. */
export function measured(values: readonly number[]): Middle {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  return { median: at(sorted.length >> 1), low: at(0), high: at(sorted.length - 1) };
}

/** "2.9 ms (2.6–3.1)" */
export function ranged(of: Middle, digits: number, unit = ""): string {
  return interval((number) => fixed(number, digits) + unit, of);
}

/** Seconds that `run` takes. */
export function secondsOf(run: () => void): number {
  const began = performance.now();
  run();
  return (performance.now() - began) / 1000;
}
