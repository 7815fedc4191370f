/** A trace as a person reads it: which request, what became of it, whether the replay agrees, and its tree. */
import type { ClientRecord } from "../../loadgen/core/record.ts";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import type { Replay } from "./replay.ts";
import { treeText } from "./tree.ts";
import { fixed } from "../../loadgen/core/format.ts";

export interface Trace extends Replay {
  /** The run's folder. */
  readonly folder: string;
  readonly world: RunSummary["world"];
  readonly policy: string;
  readonly seed: number;
  /** The client's side, as the run recorded it. */
  readonly recorded: ClientRecord;
}

/** "failed 500 after 632.4 ms, 3 attempts of the first hop, stop: attempts_exhausted" */
function ending({ outcome, status, latencyMs, attempts, stop }: ClientRecord): string {
  const parts = [
    `${outcome}${status === 0 ? "" : ` ${status}`} after ${fixed(latencyMs, 1)} ms`,
    ...(attempts === undefined ? [] : [`attempts of the first hop: ${attempts}`]),
    ...(stop === undefined ? [] : [`stop: ${stop}`]),
  ];
  return parts.join(", ");
}

const isSame = (a: ClientRecord, b: ClientRecord | undefined): boolean =>
  b !== undefined && a.outcome === b.outcome && a.latencyMs === b.latencyMs && a.attempts === b.attempts;

/** What the reader has to know of where the tree comes from. */
function origin({ world, recorded, record }: Trace): string[] {
  const replayed = record === undefined ? "no answer when the run ended" : ending(record);
  if (world === "virtual") {
    if (isSame(recorded, record)) return ["Made again in virtual time; it ends as it was recorded."];
    return [
      "Made again in virtual time, and it does NOT end as it was recorded: the lab has changed since that run.",
      `  then  ${ending(recorded)}`,
      `  now   ${replayed}`,
    ];
  }
  return [
    "A replay in virtual time: the run itself was over HTTP, and of such only the client's side is on record.",
    "Settings, seed and random numbers are the run's; wire and machine are modelled, so times and, near the tipping",
    "point, outcomes can differ.",
    `  over HTTP  ${ending(recorded)}`,
    `  replayed   ${replayed}`,
  ];
}

export function traceText(trace: Trace): string {
  const { recorded, root, leftOut, policy, seed, folder } = trace;
  const { id, method, intendedMs } = recorded;
  const lines = [
    `${id}  ${method}, due ${fixed(intendedMs, 1)} ms after the start; ${ending(recorded)}`,
    `${folder}: policy ${policy}, seed ${seed}`,
    ...origin(trace),
    "",
    root === undefined ? "It never arrived at the first tier." : treeText(root, intendedMs),
  ];
  if (leftOut > 0) lines.push(`… and ${leftOut} attempts more, which are not shown.`);
  return lines.join("\n");
}
