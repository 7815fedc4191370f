/**
 * The intervals that a run over time is told in: whole seconds while the load lasts, the last of them up to its very end, and
 * whole seconds from there on. None is shorter than half of the others, since a rate over an instant says nothing.
 */

/** More intervals than this are too narrow to be seen. */
const INTERVALS = 120;
/** Answers may come long after the load has ended, but not for ever. */
export const MOST_INTERVALS = 5 * INTERVALS;

export interface TimeGrid {
  /** Of one interval, in whole seconds. */
  readonly widthS: number;
  readonly loadEndsS: number;
  /** Intervals in which requests become due, 1 or more. */
  readonly underLoad: number;
}

export function timeGrid(loadEndsS: number): TimeGrid {
  const widthS = Math.max(1, Math.ceil(loadEndsS / INTERVALS));
  return { widthS, loadEndsS, underLoad: Math.max(1, Math.round(loadEndsS / widthS)) };
}

/** The number of the interval in which `tS` lies, from 0 on; what is before the first or after the last is in that one. */
export function intervalAt({ widthS, loadEndsS, underLoad }: TimeGrid, tS: number): number {
  if (tS < loadEndsS) return Math.min(underLoad - 1, Math.max(0, Math.floor(tS / widthS)));
  return Math.min(MOST_INTERVALS, underLoad + Math.floor((tS - loadEndsS) / widthS));
}

/** Where an interval begins; it ends where the next one does. */
export function beginOf({ widthS, loadEndsS, underLoad }: TimeGrid, interval: number): number {
  return interval < underLoad ? interval * widthS : loadEndsS + (interval - underLoad) * widthS;
}

/** Seconds that an interval lasts. */
export const lengthOf = (grid: TimeGrid, interval: number): number =>
  beginOf(grid, interval + 1) - beginOf(grid, interval);

export const middleOf = (grid: TimeGrid, interval: number): number =>
  (beginOf(grid, interval) + beginOf(grid, interval + 1)) / 2;
