/**
 * A traced request as text: one line a call or attempt, each below what set it off.
 *
 *     edge                 at the edge, from arrival to answer
 *     └─ edge#1            the edge's first attempt
 *        └─ api            what that attempt was at the api
 *           ├─ api#1       the api's attempts
 */
import type { AttemptTrace, CallTrace } from "./trace.ts";
import { fixed } from "../../loadgen/core/format.ts";

interface Line {
  readonly name: string;
  readonly beginsMs: number;
  readonly endsMs: number | undefined;
  readonly end: string;
  readonly next: string;
}

interface Branch {
  readonly line: Line;
  readonly below: readonly Branch[];
}

const HEAD = ["", "begins ms", "lasts ms", "ends with", "then"] as const;

const ms = (value: number): string => fixed(value, 1);

/** "failed 500", "timeout", "under way". */
function ending(outcome: string | undefined, status: number | undefined): string {
  if (outcome === undefined) return "still under way";
  if (outcome === "left") return "caller left";
  // These are found here, not answered by anybody.
  const isAnswer = status !== undefined && status !== 0 && !["timeout", "cancelled"].includes(outcome);
  return isAnswer ? `${outcome} ${status}` : outcome;
}

function ofCall(call: CallTrace, replica?: number): Branch {
  const { tier, arrivedMs, endedMs, outcome, status, stop, attempts } = call;
  const line = {
    name: replica === undefined ? tier : `${tier} (replica ${replica})`,
    beginsMs: arrivedMs,
    endsMs: endedMs,
    end: ending(outcome, status),
    next: stop === undefined ? "" : `stop: ${stop}`,
  };
  return { line, below: attempts.map(ofAttempt) };
}

function ofAttempt(attempt: AttemptTrace): Branch {
  const { hop, number, beganMs, endedMs, outcome, status, isCopy, decision, below, replica } = attempt;
  const line = {
    name: `${hop}#${number}${isCopy ? " (second copy)" : ""}`,
    beginsMs: beganMs,
    endsMs: endedMs,
    end: `${ending(outcome, status)}${below === undefined ? ", never sent" : ""}`,
    next: decision?.retry === true ? `retry after ${ms(decision.delayMs)} ms` : "",
  };
  return { line, below: below === undefined ? [] : [ofCall(below, replica)] };
}

function cells({ name, beginsMs, endsMs, end, next }: Line, before: string, dueMs: number): string[] {
  const lasts = endsMs === undefined ? "" : ms(endsMs - beginsMs);
  return [before + name, ms(beginsMs - dueMs), lasts, end, next];
}

function rowsOf(branch: Branch, dueMs: number, first: string, rest: string): string[][] {
  const last = branch.below.length - 1;
  const below = branch.below.flatMap((each, i) =>
    i === last ? rowsOf(each, dueMs, `${rest}└─ `, `${rest}   `) : rowsOf(each, dueMs, `${rest}├─ `, `${rest}│  `),
  );
  return [cells(branch.line, first, dueMs), ...below];
}

/** @param dueMs when the client's request was due: times are given from there */
export function treeText(root: CallTrace, dueMs: number): string {
  const rows = [[...HEAD], ...rowsOf(ofCall(root), dueMs, "", "")];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const aligned = rows.map((row) =>
    row.map((cell, i) => (i === 1 || i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))),
  );
  return aligned.map((row) => row.join("  ").trimEnd()).join("\n");
}
