/** Reads what runs have left: `summary.json` of each report folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { messageOf } from "../../../services/settings/known-error.ts";
import { SUMMARY_FORM } from "./stored-forms.ts";
import { checked, ReportError, storedJson } from "./stored.ts";

export { ReportError };

const SUMMARY = "summary.json";

export interface SavedRun {
  readonly folder: string;
  readonly summary: RunSummary;
}

export const isRun = (folder: string): boolean => existsSync(join(folder, SUMMARY));

/** What lies in `folder`, by name. @throws ReportError */
export function pathsIn(folder: string): string[] {
  checkFolder(folder);
  try {
    const names = readdirSync(folder).toSorted();
    return names.map((name) => join(folder, name));
  } catch (error) {
    throw new ReportError(`${folder} cannot be read: ${messageOf(error)}`);
  }
}

/** Folders of runs directly within `folder`, by name, so in the order of their making. @throws ReportError */
export const runsWithin = (folder: string): string[] => pathsIn(folder).filter(isRun);

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
  return checked(SUMMARY_FORM, storedJson(file), file, "the summary of a run");
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
