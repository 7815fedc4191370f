/** The cells of a sweep: each combination of what is varied, under each policy, with each seed. */
import { ConfigError } from "../../services/settings/values.ts";
import { combinations, MOST_CELLS, parseAxis, type Axis } from "./axes.ts";
import type { FinishedCell } from "./finished-cells.ts";
import { MEASURES, type MeasureName } from "./measures.ts";
import { estimate, type Estimate } from "./statistics.ts";

/** One point of the sweep; its seeds are summed up. */
export interface Point {
  readonly policy: string;
  /** What is varied, by name. */
  readonly at: Readonly<Record<string, string>>;
}

export interface PointResult extends Point {
  readonly runs: number;
  readonly validRuns: number;
  readonly limit: number;
  readonly metrics: Readonly<Record<MeasureName, Estimate>>;
}

/** @throws ConfigError with every fault of every axis */
export function axesOf(texts: readonly string[]): Axis[] {
  const parsed = texts.map(parseAxis);
  const faults = parsed.filter((one) => typeof one === "string");
  const axes = parsed.filter((one) => typeof one !== "string");
  const names = axes.map(({ name }) => name);
  if (new Set(names).size < names.length)
    faults.push("--vary: a setting is varied twice; give all its values at once.");
  if (names.includes("POLICY"))
    faults.push("--vary POLICY: name several policies with --policy a,b instead.");
  if (names.includes("SEED"))
    faults.push("--vary SEED: use --repeat, which takes the middle of several seeds.");
  const cells = axes.reduce((product, { values }) => product * values.length, 1);
  if (cells > MOST_CELLS)
    faults.push(`--vary: that is ${cells} cells; at most ${MOST_CELLS} are computed at once.`);
  if (faults.length > 0) throw new ConfigError(faults);
  return axes;
}

export function pointsOf(policies: readonly string[], axes: readonly Axis[]): Point[] {
  return [...new Set(policies)].flatMap((policy) => combinations(axes).map((at) => ({ policy, at })));
}

/** @param cells one for each seed, at least one */
export function pointResult(point: Point, cells: readonly FinishedCell[]): PointResult {
  const key = `${point.policy}/${JSON.stringify(point.at)}`;
  const entries = MEASURES.map(({ name }) => [
    name,
    estimate(
      cells.map(({ values }) => values[name]),
      `${key}/${name}`,
    ),
  ]);
  return {
    ...point,
    runs: cells.length,
    validRuns: cells.filter(({ valid }) => valid).length,
    limit: cells[0]?.limit ?? 0,
    metrics: Object.fromEntries(entries) as PointResult["metrics"],
  };
}
