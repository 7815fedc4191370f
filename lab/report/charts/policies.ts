/** Several runs in one chart over time: a line for each policy. */
import { lineY, ruleY } from "@observablehq/plot";
import type { RunData, StormPoint } from "../data/model.ts";
import { DASH, seriesLook } from "../data/looks.ts";
import { COLOR, timeFrame } from "./frame.ts";

const measured = (run: RunData, key: "calls" | "perRequest"): readonly StormPoint[] =>
  run.storm.filter((point) => point[key] !== null && point.tS <= run.loadEndsS);

/** Backend calls per second under each policy, against what the backend could take. */
export function stormsChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  const first = runs[0]?.storm.filter(({ capacity, tS }) => capacity !== null && tS <= (runs[0]?.loadEndsS ?? 0)) ?? [];
  return timeFrame(
    { width, xLabel: "seconds →", yLabel: "↑ backend calls per second" },
    [
      lineY(first, {
        x: "tS",
        y: "capacity",
        curve: "step",
        stroke: COLOR.ink,
        strokeWidth: 3,
        strokeDasharray: DASH.capacity,
      }),
      ...runs.map((run, i) =>
        lineY(measured(run, "calls"), { x: "tS", y: "calls", strokeWidth: 4.5, ...seriesLook(i) }),
      ),
    ],
    { x: { zero: true }, y: { zero: true, nice: true } },
  );
}

/** Backend calls for each request under each policy, against what the best would need. */
export function amplificationsChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  return timeFrame(
    { width, xLabel: "seconds →", yLabel: "↑ backend calls for each request" },
    [
      ruleY(runs.slice(0, 1), {
        y: ({ limit }: RunData) => limit.amplification,
        stroke: COLOR.ink,
        strokeWidth: 3,
        strokeDasharray: DASH.capacity,
      }),
      ...runs.map((run, i) =>
        lineY(measured(run, "perRequest"), { x: "tS", y: "perRequest", strokeWidth: 4.5, ...seriesLook(i) }),
      ),
    ],
    { x: { zero: true }, y: { zero: true, nice: true } },
  );
}
