/** Which report is meant when none is named: the one whose run ended last. */
import { existsSync, statSync } from "node:fs";
import { endedAt, isRun, pathsIn, ReportError, runsWithin } from "./read-summaries.ts";

/**
 * The latest run, or the latest folder of runs that were made together, such as `make demo` leaves one. undefined
 * where there is none.
 */
export function latestReport(reportsDir: string): string | undefined {
  if (!existsSync(reportsDir)) return undefined;
  const folders = pathsIn(reportsDir).filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const dated = folders.flatMap((dir) => {
    const runs = isRun(dir) ? [dir] : runsWithin(dir);
    return runs.length === 0 ? [] : [{ dir, at: Math.max(...runs.map(endedAt)) }];
  });
  return dated.toSorted((a, b) => a.at - b.at || a.dir.localeCompare(b.dir)).at(-1)?.dir;
}

/** The folder that was named, else that of the latest run. @throws ReportError where there is none yet */
export function chosenReport(folder: string | undefined, reportsDir: string): string {
  const chosen = folder ?? latestReport(reportsDir);
  if (chosen !== undefined) return chosen;
  throw new ReportError(`There is no run in ${reportsDir} yet. Make one, for instance with: make break`);
}
