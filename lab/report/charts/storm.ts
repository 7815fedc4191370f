/** The storm over time, of one run: what was offered, what the backend was asked, what the clients got. */
import { areaY, lineY, ruleX, text, type Markish } from "@observablehq/plot";
import type { RunData, StormPoint } from "../data/model.ts";
import { DASH } from "../data/looks.ts";
import { COLOR, TEXT, timeFrame, type FrameOptions } from "./frame.ts";
import { AREA, STEP, stepsOf } from "../data/steps.ts";
import { rate } from "../../../loadgen/core/format.ts";

/** What the charts over time need; the live page has no more than this. */
export type StormData = Pick<RunData, "storm" | "marks" | "loadEndsS">;

export interface TimeSpan {
  readonly width: number;
  /** Seconds at the left and right end; by default all of the data. */
  readonly fromS?: number;
  readonly toS?: number;
  readonly xLabel?: string;
  readonly height?: number;
}

const frameOf = ({ width, height, xLabel = "seconds →" }: TimeSpan, yLabel: string): FrameOptions => ({
  width,
  xLabel,
  yLabel,
  ...(height === undefined ? {} : { height }),
});

/** The moments at which something changed, each with its letter, and the end of the load. */
function moments({ marks, loadEndsS }: StormData, [, endS]: readonly [number, number]): Markish[] {
  const shown = endS > loadEndsS ? [...marks, { tS: loadEndsS, key: "end", text: "" }] : marks;
  return [
    ruleX(shown, { x: "tS", stroke: COLOR.quiet, strokeWidth: 1.5, strokeDasharray: "2 3" }),
    text(shown, { x: "tS", text: "key", frameAnchor: "top", dy: -24, ...TEXT }),
  ];
}

function spanOf(data: StormData, { fromS, toS }: TimeSpan): readonly [number, number] {
  const { tS, lengthS } = data.storm.at(-1) ?? { tS: 1, lengthS: 0 };
  return [fromS ?? 0, toS ?? Math.max(tS + lengthS / 2, data.loadEndsS)];
}

/** From 0 to above the highest value, so that the busiest moment's number has room below the letters. */
function upTo(values: readonly (number | null)[]): [number, number] {
  return [0, 1.15 * Math.max(1, ...values.map((value) => value ?? 0))];
}

/** The busiest moment with its number, so that nobody has to read it off the axis. */
function peak(storm: readonly StormPoint[]): Markish {
  const top = storm.reduce<StormPoint | undefined>((a, b) => ((b.calls ?? -1) > (a?.calls ?? -1) ? b : a), undefined);
  const told = ({ calls }: StormPoint): string => rate(Math.round(calls ?? 0));
  return text(top === undefined ? [] : [top], { x: "tS", y: "calls", text: told, dy: -16, ...TEXT });
}

export function stormChart(data: StormData, span: TimeSpan): SVGElement {
  const { storm } = data;
  const domain = spanOf(data, span);
  const good = stepsOf(storm, "good");
  const capacity = { stroke: COLOR.ink, strokeWidth: 3, strokeDasharray: DASH.capacity };
  const offered = { stroke: COLOR.offered, strokeWidth: 4, strokeDasharray: DASH.offered };
  return timeFrame(
    frameOf(span, "↑ per second"),
    [
      areaY(good, { ...AREA, fill: COLOR.good, fillOpacity: 0.28 }),
      lineY(good, { ...STEP, stroke: COLOR.good, strokeWidth: 3 }),
      lineY(stepsOf(storm, "capacity"), { ...STEP, ...capacity }),
      lineY(stepsOf(storm, "offered"), { ...STEP, ...offered }),
      lineY(stepsOf(storm, "calls"), { ...STEP, stroke: COLOR.calls, strokeWidth: 4.5 }),
      ...moments(data, domain),
      peak(storm),
    ],
    {
      x: { domain },
      y: { domain: upTo(storm.flatMap(({ calls, offered, capacity }) => [calls, offered, capacity])) },
    },
  );
}

/** Backend calls for each client request, second by second, beside what the best policy would have needed then. */
export function amplificationChart(data: StormData, span: TimeSpan): SVGElement {
  const points = stepsOf(data.storm, "perRequest");
  const domain = spanOf(data, { toS: data.loadEndsS, ...span });
  const needed = { stroke: COLOR.ink, strokeWidth: 3, strokeDasharray: DASH.capacity };
  return timeFrame(
    frameOf(span, "↑ backend calls for each request"),
    [
      areaY(points, { ...AREA, fill: COLOR.calls, fillOpacity: 0.2 }),
      lineY(points, { ...STEP, stroke: COLOR.calls, strokeWidth: 4.5 }),
      lineY(stepsOf(data.storm, "needed"), { ...STEP, ...needed }),
      ...moments(data, domain),
    ],
    { x: { domain }, y: { domain: upTo(data.storm.flatMap(({ perRequest, needed }) => [perRequest, needed])) } },
  );
}
