/** A comparison as a table for people and as CSV. */
import pc from "picocolors";
import type { Comparison } from "../../runs/comparison.ts";
import { csvText } from "../../runs/csv.ts";
import { MEASURES } from "../../runs/measures.ts";
import { seedsText, textTable } from "../../runs/text.ts";
import { interval } from "../../../loadgen/core/format.ts";

/** The text, without a line end. */
export function comparisonText({ world, seeds, policies }: Comparison): string {
  const first = policies[0]?.policy ?? "";
  const measured = MEASURES.map(({ name, label, text }) => [
    label,
    ...policies.map(({ metrics }) => interval(text, metrics[name])),
  ]);
  const differences = MEASURES.slice(0, 2).map(({ name, label, differenceText }) => [
    `${label}, less ${first}'s`,
    ...policies.map(({ difference }) => (difference === null ? "" : interval(differenceText, difference[name]))),
  ]);
  const valid = ["valid runs", ...policies.map(({ runs, validRuns }) => `${validRuns} of ${runs}`)];
  const head = ["median (95 % interval)", ...policies.map(({ policy }) => pc.bold(policy))];
  const table = textTable(head, [...measured, ...differences, valid]);
  return `${table}\n${world}, ${seedsText(seeds)}; differences are taken seed by seed.`;
}

const ENDS = ["median", "low", "high", "min", "max"] as const;

/** One line for each policy and metric. */
export function comparisonCsv({ policies }: Comparison): string {
  const rows = policies.flatMap(({ policy, runs, metrics, difference }) =>
    MEASURES.flatMap(({ name }) => [
      [policy, name, "value", runs, ...ENDS.map((end) => metrics[name]?.[end] ?? null)],
      ...(difference === null
        ? []
        : [[policy, name, "difference", runs, ...ENDS.map((end) => difference[name]?.[end] ?? null)]]),
    ]),
  );
  return csvText(["policy", "metric", "kind", "runs", ...ENDS], rows);
}
