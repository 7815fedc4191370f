/** What each arm of the fleet did, beside what its budget promises. */
import { duration, percent } from "../../../loadgen/core/format.ts";
import { textTable } from "../../runs/text.ts";
import type { FleetResult } from "./experiment.ts";

/** The text, without a line end. @param apis how many of them retry */
export function fleetText(results: readonly FleetResult[], apis: number): string {
  const head = [`${apis} apis with`, "retries", "at most", "first half", "second half", "succeeded", "p99", ""];
  const rows = results.map(({ arm, retries, bound, halves, successRate, p99Ms, valid }) => {
    const counts = [retries, bound, ...halves].map(String);
    return [arm, ...counts, percent(successRate), duration(p99Ms), valid ? "valid" : "INVALID"];
  });
  const reasons = results.flatMap(({ arm, invalidReasons }) => invalidReasons.map((why) => `${arm}: ${why}`));
  return [textTable(head, rows), ...reasons].join("\n");
}
