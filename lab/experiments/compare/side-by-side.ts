/** Several runs in one table, a column each, and the line that says what the limit was. */
import pc from "picocolors";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { GRADES } from "../../../loadgen/core/validity.ts";
import { narrowTable } from "../../../loadgen/output/narrow-table.ts";
import { narrowText } from "../../../loadgen/output/narrow-text.ts";
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
  const rows = ROWS.map(([label, cell]) => {
    const cells = [label, ...runs.map(cell)];
    return label === "AMPLIFICATION" ? cells.map((text) => pc.bold(text)) : cells;
  });
  const line = overTimeRow(overTime);
  const table = narrowTable({
    head: ["", ...runs.map((run) => pc.bold(run.policy))],
    rows: line === undefined ? rows : [...rows, line],
    aligned: ["left", ...runs.map(() => "right" as const)],
  });
  const why = (run: RunSummary) => (run.valid ? run.noisyReasons : run.invalidReasons);
  const reasons = runs.flatMap((run) => why(run).map((reason) => `${GRADES[run.validity]} ${run.policy}: ${reason}`));
  const counted = runs.map(({ policy, valid }) => ({ policy, runs: 1, validRuns: Number(valid) }));
  return narrowText([...invalidLine(counted), table, limitLine(runs), ...reasons].join("\n"));
}
