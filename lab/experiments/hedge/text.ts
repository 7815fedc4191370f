/** What second copies did, as a table. */
import { count, duration, fixed, percent } from "../../../loadgen/core/format.ts";
import Table from "cli-table3";
import pc from "picocolors";
import type { Estimate } from "../../runs/statistics.ts";
import type { HedgedArm, HedgeResult } from "./experiment.ts";

const time = ({ median }: Estimate): string => duration(median);
const whole = ({ median }: Estimate): string => count(median);

function cellsOf({ measured }: HedgedArm): string[] {
  const { p50, p99, p999, calls, success, sent, won, suppressed, denied } = measured;
  return [
    percent(success.median),
    time(p50),
    time(p99),
    time(p999),
    fixed(calls.median, 3),
    whole(sent),
    whole(won),
    `${whole(suppressed)} / ${whole(denied)}`,
  ];
}

const HEAD = ["succeeded", "p50", "p99", "p99.9", "calls per request", "sent", "won", "held back"];

/** The text, without a line end. */
export function hedgeText({ seeds, arms }: HedgeResult): string {
  const table = new Table({
    head: ["second copies", ...HEAD],
    style: { head: [], border: [], compact: true },
  });
  let scene = "";
  for (const arm of arms) {
    if (arm.scene !== scene) table.push([{ colSpan: HEAD.length + 1, content: pc.bold(arm.scene) }]);
    scene = arm.scene;
    table.push([`  ${arm.name}`, ...cellsOf(arm)]);
  }
  const spread = seeds.length === 1 ? `seed ${seeds[0]}` : `medians of seeds ${seeds[0]} to ${seeds.at(-1)}`;
  return `${table.toString()}\nvirtual, ${spread}; 100 s, two replicas, no retries.\nHeld back: by signs of overload / by the hedge budget. What it says: docs/hedging.md`;
}
