/** A sweep as tables for people and as CSV. */
import { orDash, wholePercent } from "../../../loadgen/core/format.ts";
import type { Axis } from "./axes.ts";
import type { PointResult } from "./experiment.ts";
import { csvText, estimateFields, estimateHead } from "../../runs/csv.ts";
import { MEASURES } from "../../runs/measures.ts";
import { gridText, textTable } from "../../runs/text.ts";

/** A longer list is for a program to read, not for a person. */
const MOST_LINES = 40;

function mapText(policy: string, points: readonly PointResult[], axes: readonly [Axis, Axis]): string {
  const [down, across] = axes[0].values.length >= axes[1].values.length ? axes : [axes[1], axes[0]];
  const values = { down: down.values, across: across.values };
  const grid = gridText(`${down.name} \\ ${across.name}`, values, (x, y) => {
    const point = points.find(({ at }) => at[down.name] === y && at[across.name] === x);
    return point === undefined ? "" : wholePercent(point.metrics.success?.median ?? null);
  });
  return `${policy}: % succeeded\n${grid}`;
}

function listText(points: readonly PointResult[], axes: readonly Axis[]): string {
  const shown = MEASURES.filter(({ name }) => ["success", "amplification", "p50", "p99", "goodput"].includes(name));
  const head = ["policy", ...axes.map(({ name }) => name), ...shown.map(({ label }) => label)];
  const rows = points
    .slice(0, MOST_LINES)
    .map(({ policy, at, metrics }) => [
      policy,
      ...axes.map(({ name }) => at[name] ?? ""),
      ...shown.map(({ name, text }) => orDash(text, metrics[name]?.median ?? null)),
    ]);
  const more =
    points.length > MOST_LINES ? `\n… and ${points.length - MOST_LINES} more; all of them are in sweep.csv.` : "";
  return textTable(head, rows, 1 + axes.length) + more;
}

/** The text, without a line end: a grid of success for two axes, else a list. */
export function sweepText(points: readonly PointResult[], axes: readonly Axis[]): string {
  const [first, second, ...more] = axes;
  if (first === undefined || second === undefined || more.length > 0) return listText(points, axes);
  const policies = [...new Set(points.map(({ policy }) => policy))];
  return policies
    .map((policy) =>
      mapText(
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
    ...MEASURES.flatMap(({ name }) => estimateHead(name)),
  ];
  const rows = points.map(({ policy, at, runs, validRuns, limit, metrics }) => [
    policy,
    ...axes.map(({ name }) => at[name] ?? ""),
    runs,
    validRuns,
    limit,
    ...MEASURES.flatMap(({ name }) => estimateFields(metrics[name])),
  ]);
  return csvText(head, rows);
}
