/** `lab hedge`: runs, prints and saves. */
import Table from "cli-table3";
import pc from "picocolors";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { hedge, type HedgedArm, type HedgeResult } from "./experiment.ts";
import type { Estimate } from "../../runs/statistics.ts";
import { count, duration, fixed, percent } from "../../../loadgen/core/format.ts";

export interface HedgeCommand {
  /** Seeds for each arm, 1 or more. */
  readonly repeat: number;
  readonly json: boolean;
}

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

/** The exit code: 1 where a run was not valid. */
export async function hedgeCommand(
  context: ExperimentContext,
  { repeat, json }: HedgeCommand,
): Promise<number> {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const seeds = Array.from({ length: repeat }, (_, i) => first + i);
  const result = await hedge(context, seeds);
  const file = saveJson(experimentFolder(context, `hedge-${context.stamp}`), "hedge.json", result);
  context.print(json ? JSON.stringify(result, null, 2) : `${hedgeText(result)}\nSaved: ${file}`);
  return result.arms.every(({ validRuns }) => validRuns === repeat) ? 0 : 1;
}
