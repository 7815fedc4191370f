/** The wirings of the published lab beside each other, and beside what was published. */
import Table from "cli-table3";
import type { ComparedPolicy, Comparison } from "../../runs/comparison.ts";
import { measureNamed, type MeasureName } from "../../runs/measures.ts";
import { WIRINGS } from "./experiment.ts";

const SHOWN: readonly MeasureName[] = ["success", "amplification", "p50", "p99"];

function rowOf({ policy, metrics }: ComparedPolicy): string[] {
  const cells = SHOWN.map((name) => {
    const { text } = measureNamed(name);
    const { median, min, max } = metrics[name];
    return `${text(median)} (${text(min)} to ${text(max)})`;
  });
  const figures = WIRINGS.find(({ name }) => name === policy)?.figures ?? "";
  return [policy, ...cells, figures];
}

/** The text, without a line end. */
export function publishedText({ policies, seeds, world }: Comparison): string {
  const table = new Table({
    head: ["median (smallest to largest)", ...SHOWN.map((name) => measureNamed(name).label), "published"],
    style: { head: [], border: [], compact: true },
  });
  for (const compared of policies) table.push(rowOf(compared));
  const valid = policies.reduce((sum, { validRuns }) => sum + validRuns, 0);
  const made = policies.reduce((sum, { runs }) => sum + runs, 0);
  return `${table.toString()}\n${world}, ${seeds.length} seeds, ${valid} of ${made} runs valid`;
}
