/** `lab report [folder] [--json]`: makes the page of a run, or of the runs in a folder, and says where it is. */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isRun, latestReport, runsWithin } from "./latest.ts";
import { ReportError } from "./read-run.ts";
import { renderComparison, renderRun } from "./write-report.ts";

export interface ReportRequest {
  /** A run's folder or a folder of such; undefined: the latest. */
  readonly folder: string | undefined;
  readonly reportsDir: string;
  readonly json: boolean;
  /** Gets the one line for stdout. */
  readonly print: (line: string) => void;
}

function folderOf({ folder, reportsDir }: ReportRequest): string {
  if (folder !== undefined) return folder;
  const latest = latestReport(reportsDir);
  if (latest === undefined) {
    throw new ReportError(`There is no run in ${reportsDir} yet. Make one, for instance with: make break`);
  }
  return latest;
}

/**
 * @throws ReportError when there is nothing to report on, or the page cannot be made; the message is for a person
 */
export async function reportCommand(request: ReportRequest): Promise<void> {
  const folder = folderOf(request);
  const runs = !existsSync(folder) || isRun(folder) ? [] : runsWithin(folder);
  const file = runs.length > 0 ? await renderComparison(runs, folder) : await renderRun(folder);
  const { href } = pathToFileURL(file);
  request.print(request.json ? JSON.stringify({ report: file, url: href }) : file);
}
