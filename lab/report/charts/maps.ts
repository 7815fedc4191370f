/** Phase maps (a coloured cell for each pair of knobs) and ablations (a range for each defence). */
import { axisY, cell, dot, line, link, text, type Markish } from "@observablehq/plot";
import type { Ablation, AblationRow, Interval, PhaseCell, PhaseMap } from "../model.ts";
import { COLOR, drawn, TEXT } from "./frame.ts";

/** More cells in a row than this leave no room for numbers in them. */
const READABLE = 16;

const unique = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const every = (values: readonly number[]): number[] =>
  values.filter((_, i) => i % Math.ceil(values.length / 12) === 0);

/** What stands in the cells: the value where there is room, else only the cross. */
function cellMarks({ cells }: PhaseMap, columns: number, step: (one: PhaseCell) => number): Markish {
  if (columns > READABLE) {
    const crossed = cells.filter((one) => one.crossed);
    return dot(crossed, { x: "x", y: "y", symbol: "times", r: 4, stroke: COLOR.ink });
  }
  return text(cells, {
    x: "x",
    y: "y",
    text: ({ value, crossed }: PhaseCell) =>
      `${Math.round(value * 100) / 100}${crossed === true ? " ×" : ""}`,
    fill: (one: PhaseCell) => `var(--m${step(one)}-ink)`,
    fontSize: 16,
    fontWeight: 600,
  });
}

export function phaseMapChart(map: PhaseMap, { width }: { width: number }): SVGElement {
  const { cells, thresholds, edges = [] } = map;
  const xs = unique(cells.map(({ x }) => x));
  const ys = unique(cells.map(({ y }) => y));
  const step = ({ value }: PhaseCell): number => thresholds.filter((threshold) => value >= threshold).length;
  const band = { type: "band", tickSize: 0 } as const;
  return drawn({
    width,
    height: Math.min(620, 110 + ys.length * 44),
    marginLeft: 90,
    marginBottom: 64,
    marginTop: 40,
    padding: 0.04,
    x: { ...band, domain: xs, ticks: every(xs), label: map.xLabel, labelAnchor: "right", labelOffset: 54 },
    y: { ...band, domain: ys.toReversed(), ticks: every(ys), label: map.yLabel },
    marks: [
      cell(cells, { x: "x", y: "y", fill: (one: PhaseCell) => `var(--m${step(one)})` }),
      cellMarks(map, xs.length, step),
      ...edges.map(({ points }) => line(points, { x: "x", y: "y", stroke: COLOR.ink, strokeWidth: 4 })),
    ],
  });
}

/** Success by defence, median and interval. */
export function ablationChart({ rows }: Ablation, { width }: { width: number }): SVGElement {
  const names = rows.map(({ label }) => label);
  const longest = Math.max(0, ...names.map((name) => name.length));
  const low = ({ success }: AblationRow): number => lowOf(success);
  const high = ({ success }: AblationRow): number => highOf(success);
  return drawn({
    width,
    height: 60 + rows.length * 44,
    marginLeft: Math.min(width * 0.45, 24 + longest * 10),
    marginRight: 120,
    x: {
      domain: [0, 1],
      label: "share that succeeded →",
      tickFormat: (share: number) => `${Math.round(share * 100)} %`,
      tickSize: 0,
      labelOffset: 44,
    },
    y: { type: "point", domain: names, label: null },
    marginBottom: 56,
    marks: [
      link(rows, { y: "label", x1: low, x2: high, stroke: COLOR.good, strokeWidth: 6 }),
      dot(rows, { y: "label", x: ({ success }: AblationRow) => success.median, r: 8, fill: COLOR.good }),
      text(rows, {
        y: "label",
        x: 1,
        text: ({ success }: AblationRow) => `${(success.median * 100).toFixed(1)} %`,
        textAnchor: "start",
        dx: 12,
        ...TEXT,
      }),
      axisY({ fontSize: 17, tickSize: 0, tickPadding: 12, label: null }),
    ],
  });
}

const lowOf = ({ low, median }: Interval): number => low ?? median;
const highOf = ({ high, median }: Interval): number => high ?? median;
