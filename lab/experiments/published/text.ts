/** The wirings of the published lab beside each other, and beside what was published. */
import type { ComparedPolicy, Comparison } from "../../runs/comparison.ts";
import { measureNamed, type MeasureName } from "../../runs/measures.ts";
import { textTable } from "../../runs/text.ts";
import { WIRINGS } from "./experiment.ts";
import { interval } from "../../../loadgen/core/format.ts";

const SHOWN: readonly MeasureName[] = ["success", "amplification", "p50", "p99"];

function rowOf({ policy, metrics }: ComparedPolicy): string[] {
  const cells = SHOWN.map((name) => {
    const of = metrics[name];
    return interval(measureNamed(name).text, of && { median: of.median, low: of.min, high: of.max });
  });
  const figures = WIRINGS.find(({ name }) => name === policy)?.figures ?? "";
  return [policy, ...cells, figures];
}

/** The text, without a line end. */
export function publishedText({ policies, seeds, world }: Comparison): string {
  const labels = SHOWN.map((name) => measureNamed(name).label);
  const table = textTable(["median (smallest to largest)", ...labels, "published"], policies.map(rowOf));
  const valid = policies.reduce((sum, { validRuns }) => sum + validRuns, 0);
  const made = policies.reduce((sum, { runs }) => sum + runs, 0);
  return `${table}\n${world}, ${seeds.length} seeds, ${valid} of ${made} runs valid`;
}
