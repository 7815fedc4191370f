/** What each arm of the fleet did, beside what its budget promises. */
import { duration, percent } from "../../../loadgen/core/format.ts";
import Table from "cli-table3";
import type { FleetResult } from "./experiment.ts";

/** The text, without a line end. */
export function fleetText(results: readonly FleetResult[]): string {
  const head = ["four apis with", "retries", "at most", "first half", "second half", "succeeded", "p99", ""];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { arm, retries, bound, halves, successRate, p99Ms, valid } of results) {
    const numbers = [retries, bound, ...halves, percent(successRate), duration(p99Ms)];
    table.push([arm, ...numbers.map(String), valid ? "valid" : "INVALID"]);
  }
  const reasons = results.flatMap(({ arm, invalidReasons }) => invalidReasons.map((why) => `${arm}: ${why}`));
  return [table.toString(), ...reasons].join("\n");
}
