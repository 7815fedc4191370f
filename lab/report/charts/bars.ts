/** Charts made of bars that lie: a name at the left, a length, its number at the right. */
import { axisY, barX, ruleX, text, tickX, type Markish } from "@observablehq/plot";
import type { AttemptBin, HopStep, RunData } from "../data/model.ts";
import { COLOR, drawn, TEXT } from "./frame.ts";
import { count, percent, times } from "../../../loadgen/core/format.ts";

const ROW = 62;

interface Bars {
  readonly width: number;
  readonly names: readonly string[];
  /** The longest length that must fit, in the bars' unit. */
  readonly most: number;
  readonly marks: readonly Markish[];
}

/** Room for names, by their longest. */
function marginFor(names: readonly string[], width: number): number {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return Math.min(width * 0.4, 24 + longest * 10);
}

function bars({ width, names, most, marks }: Bars): SVGElement {
  const marginLeft = marginFor(names, width);
  return drawn({
    width,
    height: 20 + names.length * ROW,
    marginLeft,
    marginRight: 190,
    marginTop: 10,
    marginBottom: 10,
    x: { axis: null, domain: [0, most > 0 ? most : 1] },
    y: { domain: [...names], padding: 0.28, label: null },
    marks: [
      ...marks,
      ruleX([0], { stroke: COLOR.ink, strokeWidth: 2 }),
      axisY({ fontSize: 18, tickSize: 0, tickPadding: 12, label: null, lineWidth: (marginLeft - 16) / 18 }),
    ],
  });
}

/** Grey where the numbers may not be quoted. */
const shade = (color: string, valid: boolean): string => (valid ? color : COLOR.quiet);

const LABEL = { textAnchor: "start", dx: 12, ...TEXT } as const;

/** How often each tier is asked for each client request. */
export function hopsChart({ hops, valid }: Pick<RunData, "hops" | "valid">, { width }: { width: number }): SVGElement {
  const told = ({ perRequest, factor }: HopStep): string =>
    hops[0]?.perRequest === perRequest ? times(perRequest) : `${times(perRequest)}  (by ${times(factor)})`;
  return bars({
    width,
    names: hops.map(({ name }) => name),
    most: Math.max(...hops.map(({ perRequest }) => perRequest ?? 0)),
    marks: [
      barX(hops, { y: "name", x: "perRequest", fill: shade(COLOR.calls, valid) }),
      text(hops, { y: "name", x: "perRequest", text: told, ...LABEL }),
    ],
  });
}

/** Requests by the number of attempts that the first hop made; hatched where they failed all the same. */
export function attemptsChart(
  { attempts, valid }: Pick<RunData, "attempts" | "valid">,
  { width }: { width: number },
): SVGElement {
  const name = (bin: AttemptBin): string =>
    bin.attempts === 0 ? "not told" : `${bin.attempts} attempt${bin.attempts === 1 ? "" : "s"}`;
  const total = ({ ok, other }: AttemptBin): number => ok + other;
  const end = { y: name, x: total, text: (bin: AttemptBin) => count(total(bin)) };
  return bars({
    width,
    names: attempts.map(name),
    most: Math.max(...attempts.map(total)),
    marks: [
      barX(attempts, { y: name, x1: 0, x2: "ok", fill: shade(COLOR.good, valid) }),
      barX(attempts, {
        y: name,
        x1: "ok",
        x2: total,
        fill: COLOR.hatch,
        stroke: COLOR.calls,
        strokeWidth: 2,
      }),
      text(attempts, { ...end, ...LABEL }),
    ],
  });
}

/** A line across the bar, with an edge that keeps it apart from the bar's own colour. */
function limitTicks(runs: readonly RunData[], x: (run: RunData) => number | null): Markish[] {
  return [
    tickX(runs, { y: "label", x, stroke: "var(--paper)", strokeWidth: 11 }),
    tickX(runs, { y: "label", x, stroke: COLOR.ink, strokeWidth: 5 }),
  ];
}

/** The ladder: how much of the load each policy served, and the most that any could have. */
export function ladderChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  return bars({
    width,
    names: runs.map(({ label }) => label),
    most: 1,
    marks: [
      barX(runs, { y: "label", x1: 0, x2: 1, fill: COLOR.grid }),
      barX(runs, { y: "label", x: "successRate", fill: ({ valid }: RunData) => shade(COLOR.good, valid) }),
      ...limitTicks(runs, ({ limit }) => limit.successRate),
      text(runs, {
        y: "label",
        x: 1,
        text: ({ successRate }: RunData) => percent(successRate),
        ...LABEL,
        fontSize: 22,
      }),
    ],
  });
}

/** What each policy cost: backend calls for each request, and what the best would need. */
export function costChart(runs: readonly RunData[], { width }: { width: number }): SVGElement {
  const told = ({ amplification }: RunData): string => times(amplification);
  return bars({
    width,
    names: runs.map(({ label }) => label),
    most: Math.max(...runs.flatMap(({ amplification, limit }) => [amplification ?? 0, limit.amplification ?? 0])),
    marks: [
      barX(runs, { y: "label", x: "amplification", fill: ({ valid }: RunData) => shade(COLOR.calls, valid) }),
      ...limitTicks(runs, ({ limit }) => limit.amplification),
      text(runs, {
        y: "label",
        x: ({ amplification }: RunData) => amplification ?? 0,
        text: told,
        ...LABEL,
        fontSize: 22,
      }),
    ],
  });
}
