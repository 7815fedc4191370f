/** How long the reads of many leaves took, as a table. */
import type { Cell } from "cli-table3";
import pc from "picocolors";
import { duration, fixed, orDash } from "../../../loadgen/core/format.ts";
import { seedsText, textTable } from "../../runs/text.ts";
import type { FanOutArm } from "./scenes.ts";

const HEAD = ["second copies", "p50", "p99", "p99.9", "calls per leaf"];

const rowOf = ({ name, measured: { p50, p99, p999, cost } }: FanOutArm): Cell[] => [
  `  ${name}`,
  ...[p50, p99, p999].map((of) => duration(of?.median ?? null)),
  orDash((each) => fixed(each, 3), cost?.median ?? null),
];

/** The text, without a line end. */
export function fanOutText(seeds: readonly number[], arms: readonly FanOutArm[]): string {
  const rows = arms.flatMap((arm, i) => [
    ...(arms[i - 1]?.scene === arm.scene ? [] : [[{ colSpan: HEAD.length, content: pc.bold(arm.scene) }]]),
    rowOf(arm),
  ]);
  return [
    textTable(HEAD, rows),
    `virtual, ${seeds.length === 1 ? "" : "medians of "}${seedsText(seeds)}; 1,000 requests, each done with its last leaf.`,
    "What it says: docs/fan-out.md",
  ].join("\n");
}
