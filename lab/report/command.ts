/**
 * `bin/lab report [folder] [--json | --html]`: makes the page of a run, or of the runs in a folder, and says where it is.
 */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chosenReport } from "./data/latest.ts";
import { isRun, runsWithin } from "./data/read-summaries.ts";
import { comparisonHtml, renderComparison, renderRun, runHtml } from "./pages/write-report.ts";

/**
 * `path`: writes the page and says where; `json`: the same for programs; `html`: the page itself, and nothing is
 * written.
 */
export type ReportForm = "path" | "json" | "html";

export interface ReportRequest {
  /** A run's folder or a folder of such; undefined: the latest. */
  readonly folder: string | undefined;
  readonly reportsDir: string;
  readonly form: ReportForm;
  /** Gets what is for stdout. */
  readonly print: (text: string) => void;
}

/**
 * @throws ReportError when there is nothing to report on, or the page cannot be made; the message is for a person
 */
export async function reportCommand(request: ReportRequest): Promise<void> {
  const { form, print } = request;
  const folder = chosenReport(request.folder, request.reportsDir);
  const runs = !existsSync(folder) || isRun(folder) ? [] : runsWithin(folder);
  if (form === "html") {
    print(runs.length > 0 ? await comparisonHtml(runs) : await runHtml(folder));
    return;
  }
  const file = runs.length > 0 ? await renderComparison(runs, folder) : await renderRun(folder);
  print(form === "json" ? JSON.stringify({ report: file, url: pathToFileURL(file).href }) : file);
}
