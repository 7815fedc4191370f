/** Reads what runs have left: `summary.json` of each report folder. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { KnownError } from "../../../services/settings/known-error.ts";

const SUMMARY = "summary.json";

export interface SavedRun {
  readonly folder: string;
  readonly summary: RunSummary;
}

/** What a run has left is not what it should be, or not there; the message says which file and why. */
export class ReportError extends KnownError {
  override readonly exitCode = 2;
}

export const isRun = (folder: string): boolean => existsSync(join(folder, SUMMARY));

/** Folders of runs directly within `folder`, by name, so in the order of their making. */
export function runsWithin(folder: string): string[] {
  const names = readdirSync(folder).toSorted();
  return names.map((name) => join(folder, name)).filter(isRun);
}

/** When the run in `folder` ended, in milliseconds since 1970. */
export const endedAt = (run: string): number => statSync(join(run, SUMMARY)).mtimeMs;

/** @throws ReportError where `folder` is not one */
export function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ReportError(`${folder} is not a folder. Give the folder of a run, such as reports/<time>-<policy>.`);
}

/** The summary of the run in `folder`. @throws ReportError */
export function readSummary(folder: string): RunSummary {
  const file = join(folder, SUMMARY);
  let summary: RunSummary | null;
  try {
    summary = JSON.parse(readFileSync(file, "utf8")) as RunSummary | null;
  } catch (error) {
    throw new ReportError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (summary?.schema === 1) return summary;
  throw new ReportError(
    `${file} has schema ${String(summary?.schema)}; this lab reads schema 1. Make the run again with this version.`,
  );
}

/**
 * The runs in `folders`. Each is a report folder or a folder of such, as `make compare` leaves one; those are taken by
 * name, so in the order of their making.
 * @throws ReportError naming the folder that has none
 */
export function readSummaries(folders: readonly string[]): SavedRun[] {
  return folders.flatMap((folder) => {
    checkFolder(folder);
    const runs = isRun(folder) ? [folder] : runsWithin(folder);
    if (runs.length === 0) throw new ReportError(`${folder} holds no report (no ${SUMMARY} in it).`);
    return runs.map((run) => ({ folder: run, summary: readSummary(run) }));
  });
}
