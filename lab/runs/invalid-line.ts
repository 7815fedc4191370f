/** What a comparison says before all else where one of its runs is INVALID: it proves nothing. */
import { list } from "../../loadgen/core/format.ts";

export interface CountedRuns {
  /** What the runs were for: a policy, an arm. */
  readonly policy?: string;
  readonly name?: string;
  readonly runs: number;
  readonly validRuns: number;
}

/** More names than this say no more than their number. */
const MOST_NAMES = 4;

function named(rows: readonly CountedRuns[]): string {
  const names = [...new Set(rows.flatMap(({ name, policy }) => name ?? policy ?? []))];
  if (names.length <= MOST_NAMES) return list(names);
  return `${list(names.slice(0, MOST_NAMES))} and ${names.length - MOST_NAMES} more`;
}

/** One line, or none where every run is valid. */
export function invalidLine(rows: readonly CountedRuns[]): string[] {
  const spoiled = rows.filter(({ runs, validRuns }) => validRuns < runs);
  if (spoiled.length === 0) return [];
  const [invalid, all] = [
    spoiled.reduce((sum, { runs, validRuns }) => sum + runs - validRuns, 0),
    rows.reduce((sum, { runs }) => sum + runs, 0),
  ];
  const are = all === 1 ? "its run is INVALID" : `${invalid} of ${all} runs ${invalid === 1 ? "is" : "are"} INVALID`;
  return [`INVALID: ${are} (${named(spoiled)}). Do not quote what comes of it; what to do: docs/invalid.md`];
}
