/** Several runs in one chart over time: a line for each policy. */
import { lineY } from "@observablehq/plot";
import type { RunData, StormPoint } from "../data/model.ts";
import { DASH, seriesLook } from "../data/looks.ts";
import { COLOR, timeFrame } from "./frame.ts";
import { STEP, stepsOf } from "../data/steps.ts";

const underLoad = ({ storm, loadEndsS }: RunData): StormPoint[] => storm.filter(({ tS }) => tS <= loadEndsS);

/** Backend calls per second under each policy, against what the backend could take. */
export function stormsChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  const first = runs.slice(0, 1).flatMap((run) => stepsOf(underLoad(run), "capacity"));
  return timeFrame(
    { width, xLabel: "seconds →", yLabel: "↑ backend calls per second" },
    [
      lineY(first, {
        ...STEP,
        stroke: COLOR.ink,
        strokeWidth: 3,
        strokeDasharray: DASH.capacity,
      }),
      ...runs.map((run, i) => lineY(stepsOf(underLoad(run), "calls"), { ...STEP, strokeWidth: 4.5, ...seriesLook(i) })),
    ],
    { x: { zero: true }, y: { zero: true, nice: true } },
  );
}

/** Backend calls for each request under each policy, against what the best would need. */
export function amplificationsChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  return timeFrame(
    { width, xLabel: "seconds →", yLabel: "↑ backend calls for each request" },
    [
      lineY(
        runs.slice(0, 1).flatMap((run) => stepsOf(underLoad(run), "needed")),
        { ...STEP, stroke: COLOR.ink, strokeWidth: 3, strokeDasharray: DASH.capacity },
      ),
      ...runs.map((run, i) =>
        lineY(stepsOf(underLoad(run), "perRequest"), { ...STEP, strokeWidth: 4.5, ...seriesLook(i) }),
      ),
    ],
    { x: { zero: true }, y: { zero: true, nice: true } },
  );
}
