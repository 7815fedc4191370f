/** A comparison as a table for people and as CSV. */
import Table from "cli-table3";
import pc from "picocolors";
import type { Comparison } from "../../runs/comparison.ts";
import { csvText } from "../../runs/csv.ts";
import { MEASURES, type Measure } from "../../runs/measures.ts";
import type { Estimate } from "../../runs/statistics.ts";

const withInterval = ({ text }: Measure, { median, low, high }: Estimate): string =>
  `${text(median)} (${text(low)} to ${text(high)})`;

const signed = (metric: Measure): Measure => ({
  ...metric,
  text: (value) => (value > 0 ? `+${metric.text(value)}` : metric.text(value)),
});

/** The text, without a line end. */
export function comparisonText({ world, seeds, policies }: Comparison): string {
  const first = policies[0]?.policy ?? "";
  const table = new Table({
    head: ["median (95 % interval)", ...policies.map(({ policy }) => pc.bold(policy))],
    style: { head: [], border: [], compact: true },
  });
  for (const metric of MEASURES) {
    table.push([metric.label, ...policies.map(({ metrics }) => withInterval(metric, metrics[metric.name]))]);
  }
  for (const metric of MEASURES.slice(0, 2)) {
    const cells = policies.map(({ difference }) =>
      difference === null ? "" : withInterval(signed(metric), difference[metric.name]),
    );
    table.push([`${metric.label}, less ${first}'s`, ...cells]);
  }
  table.push(["valid runs", ...policies.map(({ runs, validRuns }) => `${validRuns} of ${runs}`)]);
  const spread = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
  return `${table.toString()}\n${world}, ${spread}; differences are taken seed by seed.`;
}

const ENDS = ["median", "low", "high", "min", "max"] as const;

/** One line for each policy and metric. */
export function comparisonCsv({ policies }: Comparison): string {
  const rows = policies.flatMap(({ policy, runs, metrics, difference }) =>
    MEASURES.flatMap(({ name }) => [
      [policy, name, "value", runs, ...ENDS.map((end) => metrics[name][end])],
      ...(difference === null
        ? []
        : [[policy, name, "difference", runs, ...ENDS.map((end) => difference[name][end])]]),
    ]),
  );
  return csvText(["policy", "metric", "kind", "runs", ...ENDS], rows);
}
