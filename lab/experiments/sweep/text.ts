/** A sweep as tables for people and as CSV. */
import { wholePercent } from "../../../loadgen/core/format.ts";
import Table from "cli-table3";
import type { Axis } from "./axes.ts";
import type { PointResult } from "./experiment.ts";
import { csvText } from "../../runs/csv.ts";
import { MEASURES } from "../../runs/measures.ts";

const STYLE = { head: [], border: [], compact: true };

/** A longer list is for a program to read, not for a person. */
const MOST_LINES = 40;

function gridText(policy: string, points: readonly PointResult[], axes: readonly [Axis, Axis]): string {
  const [down, across] = axes[0].values.length >= axes[1].values.length ? axes : [axes[1], axes[0]];
  const table = new Table({ head: [`${down.name} \\ ${across.name}`, ...across.values], style: STYLE });
  for (const y of down.values) {
    const cells = across.values.map((x) => {
      const point = points.find(({ at }) => at[down.name] === y && at[across.name] === x);
      return point === undefined ? "" : wholePercent(point.metrics.success.median);
    });
    table.push([y, ...cells]);
  }
  return `${policy}: % succeeded\n${table.toString()}`;
}

function listText(points: readonly PointResult[], axes: readonly Axis[]): string {
  const shown = MEASURES.filter(({ name }) =>
    ["success", "amplification", "p50", "p99", "goodput"].includes(name),
  );
  const head = ["policy", ...axes.map(({ name }) => name), ...shown.map(({ label }) => label)];
  const table = new Table({ head, style: STYLE });
  for (const { policy, at, metrics } of points.slice(0, MOST_LINES)) {
    table.push([
      policy,
      ...axes.map(({ name }) => at[name] ?? ""),
      ...shown.map(({ name, text }) => text(metrics[name].median)),
    ]);
  }
  const more =
    points.length > MOST_LINES
      ? `\n… and ${points.length - MOST_LINES} more; all of them are in sweep.csv.`
      : "";
  return table.toString() + more;
}

/** The text, without a line end: a grid of success for two axes, else a list. */
export function sweepText(points: readonly PointResult[], axes: readonly Axis[]): string {
  const [first, second, ...more] = axes;
  if (first === undefined || second === undefined || more.length > 0) return listText(points, axes);
  const policies = [...new Set(points.map(({ policy }) => policy))];
  return policies
    .map((policy) =>
      gridText(
        policy,
        points.filter((point) => point.policy === policy),
        [first, second],
      ),
    )
    .join("\n\n");
}

/** One line for each point: medians, and the interval of each. */
export function sweepCsv(points: readonly PointResult[], axes: readonly Axis[]): string {
  const head = [
    "policy",
    ...axes.map(({ name }) => name),
    "runs",
    "validRuns",
    "limit",
    ...MEASURES.flatMap(({ name }) => [name, `${name}.low`, `${name}.high`]),
  ];
  const rows = points.map(({ policy, at, runs, validRuns, limit, metrics }) => [
    policy,
    ...axes.map(({ name }) => at[name] ?? ""),
    runs,
    validRuns,
    limit,
    ...MEASURES.flatMap(({ name }) => [metrics[name].median, metrics[name].low, metrics[name].high]),
  ]);
  return csvText(head, rows);
}
