/** Verdicts on triggers, for people. */
import type { MetastableResult } from "./experiment.ts";
import type { Recovery } from "../../runs/recovery.ts";
import { invalidLine } from "../../runs/invalid-line.ts";
import { textTable } from "../../runs/text.ts";
import { percent, rate, times } from "../../../loadgen/core/format.ts";

function recoveryText(recovery: Recovery): string {
  switch (recovery.kind) {
    case "unmeasured":
      return "no verdict: no request before or after";
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
  const head = ["trigger", "policy", "before", "during", "30 s later", "calls/request", "verdict", "way out"];
  const rows = results.map((result) => {
    const { trigger, policy, valid, verdict } = result;
    const { before, during, late } = verdict.success;
    const recovery = recoveryText(verdict.recovery) + (valid ? "" : " (INVALID run)");
    const shares = [before, during, late].map(percent);
    return [trigger, policy, ...shares, times(verdict.lateAmplification), recovery, wayOutText(result)];
  });
  const counted = results.map(({ trigger, policy, valid }) => ({
    name: `${trigger} under ${policy}`,
    runs: 1,
    validRuns: Number(valid),
  }));
  const title = `${results[0]?.world ?? ""}, ${rate(offeredRps)} offered all the time:`;
  return [...invalidLine(counted), title, textTable(head, rows, 2)].join("\n");
}
