/** What a fleet's budgets did, as a table for people and as CSV. */
import { fixed, interval, percent } from "../../../loadgen/core/format.ts";
import { csvText, estimateFields, estimateHead } from "../../runs/csv.ts";
import { textTable } from "../../runs/text.ts";
import { FLEET, SCALE_CASES, type Fleet } from "./cases.ts";
import type { ScaleResult } from "./experiment.ts";
import type { ScaleRun } from "./incident.ts";

const COLUMNS = [
  { name: "retries", label: "retries a request", text: (value: number) => fixed(value, 3) },
  { name: "success", label: "succeeded", text: percent },
  { name: "worst", label: "at the worst instance", text: percent },
  { name: "idle", label: "refused beside idle tokens", text: percent },
  { name: "late", label: "10 s later", text: percent },
] as const satisfies readonly { name: keyof ScaleRun; label: string; text: (value: number) => string }[];

/** The text, without a line end. */
export function scaleText(results: readonly ScaleResult[], { clients, instances }: Fleet = FLEET): string {
  const table = textTable(
    ["budget", "given as", ...COLUMNS.map(({ label }) => label)],
    results.map(({ scale, arm, metrics }) => [
      scale,
      arm,
      ...COLUMNS.map(({ name, text }) => interval(text, metrics[name])),
    ]),
    2,
  );
  const shown = SCALE_CASES.filter(({ name }) => results.some(({ scale }) => scale === name));
  const legend = shown.map(({ name, what }) => `${name}: ${what}`).join("\n");
  return `${table}\n${clients} clients, ${instances} instances, virtual time; medians (95 % intervals) while calls fail.\n${legend}`;
}

/** One line for each budget and way to give it. */
export function scaleCsv(results: readonly ScaleResult[]): string {
  const head = ["budget", "arm", ...COLUMNS.flatMap(({ name }) => estimateHead(name))];
  const rows = results.map(({ scale, arm, metrics }) => [
    scale,
    arm,
    ...COLUMNS.flatMap(({ name }) => estimateFields(metrics[name])),
  ]);
  return csvText(head, rows);
}
