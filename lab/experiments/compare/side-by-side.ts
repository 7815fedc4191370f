/** Several runs in one table, a column each, and the line that says what the limit was. */
import Table from "cli-table3";
import pc from "picocolors";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { GRADES } from "../../../loadgen/core/validity.ts";
import { invalidLine } from "../../runs/invalid-line.ts";
import { sparkline } from "../../../loadgen/output/sparkline.ts";
import { bound, count, duration, percent, times } from "../../../loadgen/core/format.ts";

const ROWS: readonly (readonly [label: string, cell: (run: RunSummary) => string])[] = [
  ["succeeded", (run) => percent(run.successRate)],
  ["requests", (run) => `${count(run.succeeded)} of ${count(run.clientRequests)}`],
  ["AMPLIFICATION", (run) => times(run.amplification)],
  ["at most, by policy", (run) => bound(run.amplificationBound)],
  ["backend calls", (run) => count(run.backendCalls)],
  ["wasted", (run) => count(run.wastedBackendCalls)],
  ["p50", (run) => duration(run.latencyMs.p50)],
  ["p99", (run) => duration(run.latencyMs.p99)],
  ["of the limit", (run) => percent(run.goodputOfLimit)],
  ["", (run) => GRADES[run.validity]],
];

const limitText = ({ limit }: RunSummary): string => `${percent(limit.successRate)} at ${times(limit.amplification)}`;

function limitLine(runs: readonly RunSummary[]): string {
  const texts = new Set(runs.map(limitText));
  if (texts.size === 1) {
    return `limit: ${[...texts][0]}. In the long run no policy can do better against this backend at this load.`;
  }
  const each = runs.map((run) => `${run.policy} ${limitText(run)}`);
  return `limit of each, since load or backend differ: ${each.join("; ")}.`;
}

/** Amplification second by second, on one scale for all runs; undefined where no run was sampled. */
function overTimeRow(overTime: readonly (readonly number[])[]): string[] | undefined {
  const most = Math.max(1, ...overTime.flat());
  if (overTime.every((values) => values.length === 0)) return undefined;
  return [`over time, to ${times(most)}`, ...overTime.map((values) => sparkline(values, most, 20))];
}

/**
 * The text, without a line end.
 * @param overTime amplification of each run, second by second
 *
 * Colour only where picocolors finds it wanted (NO_COLOR, a pipe: none). */
export function sideBySide(runs: readonly RunSummary[], overTime: readonly (readonly number[])[] = []): string {
  const table = new Table({
    head: ["", ...runs.map((run) => pc.bold(run.policy))],
    colAligns: ["left", ...runs.map(() => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const [label, cell] of ROWS) {
    const cells = runs.map(cell);
    const strong = label === "AMPLIFICATION";
    table.push(strong ? [pc.bold(label), ...cells.map((text) => pc.bold(text))] : [label, ...cells]);
  }
  const line = overTimeRow(overTime);
  if (line !== undefined) table.push(line);
  const why = (run: RunSummary) => (run.valid ? run.noisyReasons : run.invalidReasons);
  const reasons = runs.flatMap((run) => why(run).map((reason) => `${GRADES[run.validity]} ${run.policy}: ${reason}`));
  const counted = runs.map(({ policy, valid }) => ({ policy, runs: 1, validRuns: Number(valid) }));
  return [...invalidLine(counted), table.toString(), limitLine(runs), ...reasons].join("\n");
}
