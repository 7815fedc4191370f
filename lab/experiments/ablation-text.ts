/** An ablation as a table for people. */
import Table from "cli-table3";
import pc from "picocolors";
import type { AblatedArm, Ablation } from "./ablation.ts";
import { metricNamed, type Metric } from "./metrics.ts";
import type { Estimate } from "./statistics.ts";

const SHOWN = ["success", "amplification", "p50", "p99"] as const;

const withInterval = ({ text }: Pick<Metric, "text">, { median, low, high }: Estimate): string =>
  `${text(median)} (${text(low)} to ${text(high)})`;

const share = { text: (value: number): string => `${(100 * value).toFixed(1)} %` };

function cellsOf({ metrics, afterwards }: AblatedArm): string[] {
  const during = SHOWN.map((name) => {
    const metric = metricNamed(name);
    return metric === undefined ? "" : withInterval(metric, metrics[name]);
  });
  return [...during, withInterval(share, afterwards)];
}

const HEAD = [...SHOWN.map((name) => metricNamed(name)?.label ?? name), "after the trigger"];

/** The text, without a line end. */
export function ablationText({ seeds, groups }: Ablation): string {
  const table = new Table({
    head: ["median (95 % interval)", ...HEAD],
    style: { head: [], border: [], compact: true },
  });
  for (const { policy, arms } of groups) {
    for (const arm of arms) table.push([arm.name === policy ? pc.bold(arm.name) : arm.name, ...cellsOf(arm)]);
  }
  const spread = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
  return `${table.toString()}\nvirtual, ${spread}; every row meets the same luck.`;
}

/** The rows as a table of Markdown, for docs/ablation.md. */
export function ablationMarkdown({ groups }: Ablation): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const lines = groups.flatMap(({ arms }) => arms.map((arm) => row([arm.name, ...cellsOf(arm)])));
  return [row(["policy", ...HEAD]), row(["---", ...HEAD.map(() => "---")]), ...lines].join("\n");
}
