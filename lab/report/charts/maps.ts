/** Phase maps (a coloured cell for each pair of knobs) and ablations (a range for each defence). */
import { axisY, dot, line, link, rect, text, type Markish } from "@observablehq/plot";
import type { AblationData, AblationRow, PhaseCell, PhaseMap } from "../data/model.ts";
import { edgeDash } from "../data/looks.ts";
import { placeAmong } from "../data/map-scale.ts";
import { COLOR, drawn, TEXT } from "./frame.ts";
import { exactPercent, orDash, percent, value } from "../../../loadgen/core/format.ts";

/** More cells in a row than this leave no room for numbers in them. */
const READABLE = 16;

const unique = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

interface Axis {
  readonly values: readonly number[];
  readonly place: (value: number) => number;
}

function axisOf(all: readonly number[]): Axis {
  const values = unique(all);
  return { values, place: (value) => placeAmong(values, value) };
}

/** An axis of cells of equal width, with their values below them where there is room. */
function scaleOf({ values }: Axis, label: string) {
  const step = Math.ceil(values.length / 12);
  return {
    type: "linear",
    domain: [-0.5, values.length - 0.5],
    ticks: values.map((_, i) => i).filter((i) => i % step === 0),
    tickFormat: (i: number) => value(values[i] ?? 0, 3),
    tickSize: 0,
    label,
  } as const;
}

interface Grid {
  readonly x: Axis;
  readonly y: Axis;
  readonly step: (one: PhaseCell) => number;
}

/** What stands in the cells: the value where there is room, else only the cross. */
function cellMarks({ cells }: PhaseMap, { x, y, step }: Grid): Markish {
  const at = { x: (one: PhaseCell) => x.place(one.x), y: (one: PhaseCell) => y.place(one.y) };
  if (x.values.length > READABLE) {
    const crossed = cells.filter((one) => one.crossed);
    return dot(crossed, { ...at, symbol: "times", r: 4, stroke: COLOR.ink });
  }
  return text(cells, {
    ...at,
    text: (one: PhaseCell) => `${orDash(value, one.value)}${one.crossed === true ? " ×" : ""}`,
    fill: (one: PhaseCell) => `var(--m${step(one)}-ink)`,
    // A rim in the cell's own colour keeps a number readable where an edge runs through it.
    stroke: (one: PhaseCell) => `var(--m${step(one)})`,
    strokeWidth: 6,
    fontSize: 16,
    fontWeight: 600,
  });
}

/** The computed edges, each with a light rim, since they cross dark cells as well as light ones. */
function edgeMarks({ edges = [] }: PhaseMap, { x, y }: Grid): Markish[] {
  const at = { x: (point: Place) => x.place(point.x), y: (point: Place) => y.place(point.y), clip: true };
  return edges.flatMap(({ points }, i) => [
    line(points, { ...at, stroke: "var(--paper)", strokeWidth: 9, strokeOpacity: 0.8 }),
    line(points, { ...at, stroke: COLOR.ink, strokeWidth: 4.5, strokeDasharray: edgeDash(i) }),
  ]);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export function phaseMapChart(map: PhaseMap, { width }: { width: number }): SVGElement {
  const { cells, thresholds } = map;
  const x = axisOf(cells.map((one) => one.x));
  const y = axisOf(cells.map((one) => one.y));
  const step = ({ value }: PhaseCell): number => thresholds.filter((threshold) => (value ?? 0) >= threshold).length;
  const grid = { x, y, step };
  return drawn({
    width,
    height: Math.min(620, 110 + y.values.length * 44),
    marginLeft: 90,
    marginBottom: 64,
    marginTop: 40,
    x: { ...scaleOf(x, map.xLabel), labelAnchor: "right", labelOffset: 54 },
    y: scaleOf(y, map.yLabel),
    marks: [
      rect(cells, {
        x1: (one: PhaseCell) => x.place(one.x) - 0.5,
        x2: (one: PhaseCell) => x.place(one.x) + 0.5,
        y1: (one: PhaseCell) => y.place(one.y) - 0.5,
        y2: (one: PhaseCell) => y.place(one.y) + 0.5,
        inset: 1,
        fill: (one: PhaseCell) => `var(--m${step(one)})`,
      }),
      ...edgeMarks(map, grid),
      cellMarks(map, grid),
    ],
  });
}

/** Success by defence, median and interval. */
export function ablationChart({ rows }: AblationData, { width }: { width: number }): SVGElement {
  const names = rows.map(({ label }) => label);
  const longest = Math.max(0, ...names.map((name) => name.length));
  const low = ({ success }: AblationRow): number | null => success && (success.low ?? success.median);
  const high = ({ success }: AblationRow): number | null => success && (success.high ?? success.median);
  const shade = ({ valid = true }: AblationRow): string => (valid ? COLOR.good : COLOR.quiet);
  return drawn({
    width,
    height: 60 + rows.length * 44,
    marginLeft: Math.min(width * 0.45, 24 + longest * 10),
    marginRight: 120,
    x: {
      domain: [0, 1],
      label: "share that succeeded →",
      tickFormat: exactPercent,
      tickSize: 0,
      labelOffset: 44,
    },
    y: { type: "point", domain: names, label: null },
    marginBottom: 56,
    marks: [
      link(rows, { y: "label", x1: low, x2: high, stroke: shade, strokeWidth: 6 }),
      dot(rows, { y: "label", x: ({ success }: AblationRow) => success?.median ?? null, r: 8, fill: shade }),
      text(rows, {
        y: "label",
        x: 1,
        text: ({ success }: AblationRow) => percent(success?.median ?? null),
        textAnchor: "start",
        dx: 12,
        ...TEXT,
      }),
      axisY({ fontSize: 17, tickSize: 0, tickPadding: 12, label: null }),
    ],
  });
}
