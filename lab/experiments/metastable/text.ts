/** Verdicts on triggers, for people. */
import Table from "cli-table3";
import type { MetastableResult } from "./experiment.ts";
import type { Recovery } from "../../runs/recovery.ts";
import { percent, rate, times } from "../../../loadgen/core/format.ts";

function recoveryText(recovery: Recovery): string {
  switch (recovery.kind) {
    case "never-healthy":
      return "no verdict: not healthy before";
    case "unharmed":
      return "unharmed";
    case "recovers":
      return `recovers after ${recovery.afterS} s`;
    case "metastable":
      return "NEVER RECOVERS";
  }
}

function wayOutText({ world, verdict, recoversAtRps, replay }: MetastableResult): string {
  if (verdict.recovery.kind !== "metastable") return "";
  if (world !== "virtual") return "(searched in virtual time)";
  if (recoversAtRps === null) return "none found";
  const again = replay === null ? "" : `; trigger again: ${recoveryText(replay.recovery)}`;
  return `load cut to ${rate(recoversAtRps)}${again}`;
}

/** The text, without a line end. */
export function metastableText(results: readonly MetastableResult[], offeredRps: number): string {
  const table = new Table({
    head: ["trigger", "policy", "before", "during", "30 s later", "calls/request", "verdict", "way out"],
    style: { head: [], border: [], compact: true },
  });
  for (const result of results) {
    const { trigger, policy, valid, verdict } = result;
    const { before, during, late } = verdict.success;
    table.push([
      trigger,
      policy,
      percent(before),
      percent(during),
      percent(late),
      times(verdict.lateAmplification),
      recoveryText(verdict.recovery) + (valid ? "" : " (INVALID run)"),
      wayOutText(result),
    ]);
  }
  return `${results[0]?.world ?? ""}, ${rate(offeredRps)} offered all the time:\n${table.toString()}`;
}
