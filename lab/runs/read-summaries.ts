/** Reads what runs have left: `summary.json` of each report folder. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";

export interface SavedRun {
  readonly folder: string;
  readonly summary: RunSummary;
}

/** A folder that is not what it should be; the message is for a person. */
export class ReportProblem extends Error {}

function isReport(folder: string): boolean {
  return existsSync(join(folder, "summary.json"));
}

function readReport(folder: string): SavedRun {
  const file = join(folder, "summary.json");
  let summary: RunSummary;
  try {
    summary = JSON.parse(readFileSync(file, "utf8")) as RunSummary;
  } catch (error) {
    throw new ReportProblem(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (summary?.schema !== 1) {
    throw new ReportProblem(
      `${file} has schema ${String(summary?.schema)}; this lab reads schema 1. Make the run again with this version.`,
    );
  }
  return { folder, summary };
}

/**
 * The runs in `folders`. Each is a report folder or a folder of such, as `make compare` leaves one; those are taken by
 * name, so in the order of their making. Throws a `ReportProblem` naming the folder that has none.
 */
export function readSummaries(folders: readonly string[]): SavedRun[] {
  return folders.flatMap((folder) => {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) {
      throw new ReportProblem(
        `${folder} is not a folder: name report folders, such as reports/2026-…-naive.`,
      );
    }
    if (isReport(folder)) return [readReport(folder)];
    const within = readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name))
      .filter(isReport);
    if (within.length === 0) throw new ReportProblem(`${folder} holds no report (no summary.json in it).`);
    return within.map(readReport);
  });
}
