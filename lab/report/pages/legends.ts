/** Which line is which. The charts draw them in the same colours and dashes. */
import type { LegendEntry } from "./figures.ts";
import { DASH, edgeDash, seriesLook } from "../data/looks.ts";
import type { PhaseMap } from "../data/model.ts";
import { value } from "../../../loadgen/core/format.ts";

const CAPACITY: LegendEntry = { name: "capacity", color: "var(--ink)", look: "line", dash: DASH.capacity };
const NEEDED: LegendEntry = {
  name: "best possible policy",
  color: "var(--ink)",
  look: "line",
  dash: DASH.capacity,
};
const LIMIT: LegendEntry = { name: "the limit for any policy", color: "var(--ink)", look: "tick" };
const OK: LegendEntry = { name: "succeeded", color: "var(--good)", look: "bar" };
const OTHER: LegendEntry = { name: "did not succeed", color: "url(#hatch)", look: "bar" };

export const STORM_LEGEND: readonly LegendEntry[] = [
  { name: "backend calls", color: "var(--calls)", look: "line" },
  { name: "offered", color: "var(--offered)", look: "line", dash: DASH.offered },
  CAPACITY,
  { name: "good answers", color: "var(--good)", look: "area" },
];

export const AMPLIFICATION_LEGEND: readonly LegendEntry[] = [
  { name: "backend calls for each request", color: "var(--calls)", look: "line" },
  NEEDED,
];

export const BANDS_LEGEND: readonly LegendEntry[] = [
  { name: "median", color: "var(--ink)", look: "line" },
  { name: "median to 99th percentile", color: "var(--quiet)", look: "band" },
];

export const LATENCY_LEGEND: readonly LegendEntry[] = [
  { name: "succeeded", color: "var(--good)", look: "dot" },
  { name: "did not succeed", color: "var(--calls)", look: "cross" },
  ...BANDS_LEGEND,
];

export const ENDINGS_LEGEND: readonly LegendEntry[] = [OK, OTHER];

export const LADDER_LEGEND: readonly LegendEntry[] = [OK, LIMIT];

export const COST_LEGEND: readonly LegendEntry[] = [
  { name: "backend calls for each request", color: "var(--calls)", look: "bar" },
  { ...LIMIT, name: "best possible policy" },
];

/** One entry for each run, as `seriesLook` draws them, and one for the line that they are measured against. */
export function seriesLegend(labels: readonly string[], against: "capacity" | "needed" | "limit"): LegendEntry[] {
  const lines = labels.map((name, i): LegendEntry => {
    const { stroke, strokeDasharray } = seriesLook(i);
    return { name, color: stroke, look: "line", dash: strokeDasharray };
  });
  const last = {
    capacity: CAPACITY,
    needed: NEEDED,
    limit: { ...CAPACITY, name: "the limit for any policy" },
  }[against];
  return [...lines, last];
}

/** The colour steps of a map, from the lowest values up, and its computed edges. */
export function mapLegend(map: PhaseMap): LegendEntry[] {
  const { cells, thresholds, valueLabel, edges = [], crossedMeans = "did not recover, or not valid" } = map;
  const steps = [undefined, ...thresholds].map((from, i): LegendEntry => {
    const to = thresholds[i];
    const name =
      from === undefined
        ? `${valueLabel} below ${value(to ?? 0)}`
        : to === undefined
          ? `${value(from)} and above`
          : `${value(from)} to ${value(to)}`;
    return { name, color: `var(--m${i})`, look: "bar" };
  });
  const lines = edges.map(({ name }, i): LegendEntry => {
    return { name: `computed: ${name}`, color: "var(--ink)", look: "line", dash: edgeDash(i) };
  });
  const cross: LegendEntry = { name: crossedMeans, color: "var(--ink)", look: "cross" };
  return [...steps, ...(cells.some(({ crossed }) => crossed === true) ? [cross] : []), ...lines];
}
