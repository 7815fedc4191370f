/**
 * What all charts share: size of type, axes, and the colours, which are variables of the page's style sheet, so that
 * light, dark and print need no second drawing.
 */
import { axisX, axisY, gridY, plot, ruleY, type Markish, type PlotOptions } from "@observablehq/plot";
import { value } from "../../../loadgen/core/format.ts";

export const COLOR = {
  ink: "var(--ink)",
  quiet: "var(--quiet)",
  grid: "var(--grid)",
  offered: "var(--offered)",
  calls: "var(--calls)",
  good: "var(--good)",
  hatch: "url(#hatch)",
} as const;

/** Below this width a chart is drawn for a small screen. */
const NARROW = 560;
const FONT_PX = 17;

export interface FrameOptions {
  readonly width: number;
  readonly height?: number;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Where to put ticks, and how to write them, if not as plain numbers. */
  readonly xTicks?: Ticks;
  readonly yTicks?: Ticks;
}

export interface Ticks {
  readonly ticks?: readonly number[];
  readonly format: (value: number) => string;
}

const PLAIN: Ticks = { format: (number) => value(number) };

/** A plot with two number axes; `options` wins over what is set here. */
export function timeFrame(frame: FrameOptions, marks: readonly Markish[], options: PlotOptions = {}): SVGElement {
  const { width, xLabel, yLabel, xTicks = PLAIN, yTicks = PLAIN } = frame;
  const axis = { fontSize: FONT_PX, tickSize: 0, tickPadding: 8, color: COLOR.ink };
  return drawn({
    width,
    height: frame.height ?? Math.round(Math.min(420, Math.max(280, width * 0.42))),
    marginLeft: 70,
    marginRight: 30,
    marginTop: 54,
    marginBottom: 60,
    ...options,
    marks: [
      gridY({ stroke: COLOR.grid, strokeOpacity: 1, ticks: yTicks.ticks ?? 6 }),
      axisX({
        ...axis,
        label: xLabel,
        labelOffset: 52,
        ticks: xTicks.ticks ?? (width < NARROW ? 5 : 10),
        tickFormat: xTicks.format,
      }),
      axisY({ ...axis, label: yLabel, labelOffset: 60, ticks: yTicks.ticks ?? 6, tickFormat: yTicks.format }),
      ruleY([0], { stroke: COLOR.ink }),
      ...marks,
    ],
  });
}

/** Any other plot. */
export function drawn(options: PlotOptions): SVGElement {
  const figure = plot({
    ...options,
    style: {
      background: "transparent",
      color: COLOR.ink,
      fontFamily: "inherit",
      fontSize: `${FONT_PX}px`,
      overflow: "visible",
    },
  });
  // The sentence of the caption says what the picture shows; its parts would only be noise to a screen reader.
  figure.setAttribute("aria-hidden", "true");
  return figure as SVGElement;
}

export const TEXT = {
  fontSize: FONT_PX,
  fontWeight: 600,
  fill: COLOR.ink,
  stroke: "var(--paper)",
  strokeWidth: 5,
} as const;
