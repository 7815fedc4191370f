/**
 * How long the clients waited: over time, and as a distribution. Both scales are logarithmic: 8 ms and 2 s both
 * matter.
 */
import { areaY, dot, gridX, lineY, rectY, ruleX, ruleY, text } from "@observablehq/plot";
import type { LatencyBin, LatencyDot, RunData } from "../data/model.ts";
import { COLOR, TEXT, timeFrame, type Ticks } from "./frame.ts";
import type { TimeSpan } from "./storm.ts";
import { exactPercent, seconds, value } from "../../../loadgen/core/format.ts";

const TICKS_MS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];
const inTime = (ms: number): string => (ms >= 1000 ? seconds(ms / 1000) : `${value(ms)} ms`);

/** Ticks within a domain: an axis would draw the others outside of the picture. */
const timeTicks = ([low, high]: readonly [number, number]): Ticks => ({
  ticks: TICKS_MS.filter((ms) => ms >= low && ms <= high),
  format: inTime,
});

export type LatencyData = Pick<RunData, "bands" | "dots">;

function range(values: readonly number[]): [number, number] {
  if (values.length === 0) return [1, 1000];
  const low = Math.max(0.5, Math.min(...values));
  return [low / 1.3, Math.max(low * 4, Math.max(...values) * 1.3)];
}

/** Each request as a dot (a cross where it did not succeed), over the band from the median to the 99th percentile. */
export function latencyChart({ bands, dots }: LatencyData, span: TimeSpan): SVGElement {
  const { width, fromS = 0, toS = Math.max(...bands.map(({ tS }) => tS + 0.5)), xLabel = "sent at, seconds →" } = span;
  const failed = dots.filter(({ ok }) => !ok);
  const domain = range([...bands.flatMap(({ p50, p99 }) => [p50, p99]), ...dots.map(({ ms }: LatencyDot) => ms)]);
  return timeFrame(
    { width, xLabel, yLabel: "↑ latency", yTicks: timeTicks(domain) },
    [
      areaY(bands, { x: "tS", y1: "p50", y2: "p99", fill: COLOR.quiet, fillOpacity: 0.25 }),
      dot(
        dots.filter(({ ok }) => ok),
        { x: "tS", y: "ms", r: 2.6, fill: COLOR.good, fillOpacity: 0.8 },
      ),
      dot(failed, { x: "tS", y: "ms", r: 4, symbol: "times", stroke: COLOR.calls, strokeWidth: 1.6 }),
      lineY(bands, { x: "tS", y: "p50", stroke: COLOR.ink, strokeWidth: 3 }),
    ],
    { marginLeft: 86, x: { domain: [fromS, toS] }, y: { type: "log", domain } },
  );
}

/** Two quantiles nearer than this factor would be written over each other. */
const APART = 1.4;

/** How many requests took how long; hatched where they did not succeed. */
export function distributionChart(
  data: Pick<RunData, "bins" | "p50" | "p99">,
  { width }: { width: number },
): SVGElement {
  const { bins } = data;
  const [p50, p99] = [data.p50 ?? 0, data.p99 ?? 0];
  const total = ({ ok, other }: LatencyBin): number => ok + other;
  const quantileText = { x: "ms", text: "name", frameAnchor: "top", ...TEXT } as const;
  const domain = range(bins.flatMap(({ fromMs, toMs }) => [fromMs, toMs]));
  return timeFrame(
    { width, xLabel: "latency →", yLabel: "↑ requests", xTicks: timeTicks(domain) },
    [
      rectY(bins, { x1: "fromMs", x2: "toMs", y1: 0, y2: "ok", fill: COLOR.good, inset: 1 }),
      rectY(
        bins.filter(({ other }) => other > 0),
        {
          x1: "fromMs",
          x2: "toMs",
          y1: "ok",
          y2: total,
          fill: COLOR.hatch,
          stroke: COLOR.calls,
          strokeWidth: 2,
          inset: 1,
        },
      ),
      ruleX([p50, p99], { stroke: COLOR.ink, strokeWidth: 2.5, strokeDasharray: "6 4" }),
      text([{ ms: p50, name: "p50" }], { ...quantileText, dy: -16 }),
      text([{ ms: p99, name: "p99" }], { ...quantileText, dy: p99 > p50 * APART ? -16 : -34 }),
    ],
    { x: { type: "log", domain } },
  );
}

const PERCENT: Ticks = { format: exactPercent };

interface Step {
  readonly ms: number;
  readonly share: number;
}

/** Share of all requests that had a good answer within a time. */
function stepsOf({ bins, clientRequests }: RunData): Step[] {
  let good = 0;
  const steps = bins.map(({ toMs, ok }) => {
    good += ok;
    return { ms: toMs, share: good / Math.max(1, clientRequests) };
  });
  const first = bins[0];
  return first === undefined ? steps : [{ ms: first.fromMs, share: 0 }, ...steps];
}

/** One line for each policy: how many requests had a good answer by when. A line that stays low lost them. */
export function answeredChart(
  runs: readonly RunData[],
  { width }: { width: number },
  look: (index: number) => { stroke: string; strokeDasharray: string },
): SVGElement {
  const domain = range(runs.flatMap(({ bins }) => bins.flatMap(({ fromMs, toMs }) => [fromMs, toMs])));
  const lines = runs.map((run, i) => {
    const steps = stepsOf(run);
    const last = steps.at(-1);
    const whole = last === undefined ? steps : [...steps, { ms: domain[1], share: last.share }];
    return lineY(whole, { x: "ms", y: "share", strokeWidth: 4.5, ...look(i) });
  });
  const most = Math.max(...runs.map(({ limit }) => limit.successRate ?? 0));
  return timeFrame(
    {
      width,
      xLabel: "latency →",
      yLabel: "↑ good answers by then",
      xTicks: timeTicks(domain),
      yTicks: PERCENT,
    },
    [
      ruleY([most], { stroke: COLOR.ink, strokeWidth: 3, strokeDasharray: "3 5" }),
      gridX({ stroke: COLOR.grid, strokeOpacity: 1, ticks: TICKS_MS }),
      ...lines,
    ],
    {
      x: { type: "log", domain },
      y: { domain: [0, 1] },
    },
  );
}
