/** How lines look, for the charts and their legends alike: dashes tell apart what colours may not. */

export const DASH = { offered: "10 6", capacity: "3 5" } as const;

const SERIES_DASHES = ["none", "10 5", "3 4", "14 5 3 5", "6 3", "2 6", "12 3 3 3 3 3", "1 3"];

/** Computed edges over a map: all in ink, so dashes alone tell them apart. Beyond three they begin again. */
export function edgeDash(index: number): string {
  return ["none", "14 8", "3 8"][index % 3] ?? "none";
}

export interface SeriesLook {
  /** A variable of the style sheet. */
  readonly stroke: string;
  readonly strokeDasharray: string;
}

/** The look of the `index`-th (0, 1, …) run of a page. Beyond eight they begin again. */
export function seriesLook(index: number): SeriesLook {
  const i = index % SERIES_DASHES.length;
  return { stroke: `var(--s${i + 1})`, strokeDasharray: SERIES_DASHES[i] ?? "none" };
}
