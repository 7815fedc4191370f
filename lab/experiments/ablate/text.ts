/** An ablation as a table for people: narrow enough for a terminal that is shown to a room. */
import pc from "picocolors";
import { AFTERWARDS } from "./arms.ts";
import type { AblatedArm, Ablation } from "./experiment.ts";
import { measureNamed } from "../../runs/measures.ts";
import { seedsText, textTable } from "../../runs/text.ts";
import { duration, interval, percent, times } from "../../../loadgen/core/format.ts";

const SHOWN = ["success", "amplification", "p50", "p99"] as const;

function cellsOf({ metrics, afterwards }: AblatedArm): string[] {
  const during = SHOWN.map((name) => interval(measureNamed(name).text, metrics[name]));
  return [...during, interval(percent, afterwards)];
}

const HEAD = [...SHOWN.map((name) => measureNamed(name).label), "after the trigger"];

function shortCells({ metrics, afterwards }: AblatedArm): string[] {
  const { success, amplification, p50, p99 } = metrics;
  return [
    interval(percent, success),
    interval(times, amplification),
    duration(p50?.median ?? null),
    duration(p99?.median ?? null),
    interval(percent, afterwards),
  ];
}

/** The text, without a line end. */
export function ablationText({ seeds, groups }: Ablation): string {
  const head = ["", "succeeded", "amplification", "p50", "p99", "succeeded later"];
  const rows = groups.flatMap(({ policy, arms }) =>
    arms.map((arm) => [arm.name === policy ? pc.bold(arm.name) : `  ${arm.name}`, ...shortCells(arm)]),
  );
  const { fromS, toS, triggerEndsS } = AFTERWARDS;
  return [
    textTable(head, rows),
    `+ one defence more · - one part less. Medians (95 % intervals) of ${seedsText(seeds)}, virtual; every row meets the same random numbers.`,
    `Succeeded later: from ${fromS} s to ${toS} s of a second run, whose errors end at ${triggerEndsS} s. 0 % there: the storm feeds itself.`,
    "What it says: docs/ablation.md",
  ].join("\n");
}

/** The rows as a table of Markdown, with all intervals, for docs/ablation.md. */
export function ablationMarkdown({ groups }: Ablation): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const lines = groups.flatMap(({ arms }) => arms.map((arm) => row([arm.name, ...cellsOf(arm)])));
  return [row(["policy", ...HEAD]), row(["---", ...HEAD.map(() => "---")]), ...lines].join("\n");
}
