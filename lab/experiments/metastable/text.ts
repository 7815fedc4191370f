/** Verdicts on triggers, for people. */
import Table from "cli-table3";
import type { MetastableResult } from "./experiment.ts";
import type { Recovery } from "../../runs/recovery.ts";

const whole = (share: number): string => `${Math.round(share * 100)} %`;

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
  return `load cut to ${Number(recoversAtRps.toFixed(1))}/s${again}`;
}

/** The text, without a line end. */
export function metastableText(results: readonly MetastableResult[], rate: number): string {
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
      whole(before),
      whole(during),
      whole(late),
      `${verdict.lateAmplification.toFixed(1)}x`,
      recoveryText(verdict.recovery) + (valid ? "" : " (INVALID run)"),
      wayOutText(result),
    ]);
  }
  return `${results[0]?.world ?? ""}, ${rate} requests/s all the time:\n${table.toString()}`;
}
