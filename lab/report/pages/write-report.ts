/** Writes `report.markup`: into the folder of the run, or, for a comparison, into a folder of its own. */
import { join, resolve } from "node:path";
import { ensureFolder, writeWhole } from "../../../loadgen/output/report-folder.ts";
import { pageAssets } from "./assets.ts";
import { comparisonPage } from "./comparison-page.ts";
import { experimentPage, type Experiment } from "./experiment-page.ts";
import type { Extras } from "./extras.ts";
import { readRun } from "../data/read-run.ts";
import { ReportError } from "../data/read-summaries.ts";
import { runPage } from "./run-page.ts";
import { messageOf } from "../../../services/settings/known-error.ts";

export const REPORT_FILE = "report.html";

function writePage(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    throw new ReportError(`${file} cannot be written: ${messageOf(error)}`);
  }
}

function writeInto(folder: string, text: string): string {
  const file = join(resolve(folder), REPORT_FILE);
  try {
    ensureFolder(resolve(folder));
  } catch (error) {
    throw new ReportError(`${folder} cannot be made: ${messageOf(error)}`);
  }
  writePage(file, text);
  return file;
}

/**
 * The page of the run in `dir`, as text.
 * @throws ReportError when the run cannot be read
 */
export async function runHtml(dir: string): Promise<string> {
  return runPage(await readRun(dir), await pageAssets("report"));
}

/**
 * The page about several runs, as text.
 * @param dirs folders of runs, one or more, in the order in which they are to be shown
 * @throws ReportError when a run cannot be read
 */
export async function comparisonHtml(dirs: readonly string[], extras: Extras = {}): Promise<string> {
  if (dirs.length === 0) throw new ReportError("A comparison needs the folder of at least one run.");
  return comparisonPage(await Promise.all(dirs.map(readRun)), await pageAssets("report"), extras);
}

/**
 * Writes the page of the run in `dir` there.
 * @returns the page's absolute path
 * @throws ReportError when the run cannot be read or the page cannot be written
 */
export async function renderRun(dir: string): Promise<string> {
  const file = join(resolve(dir), REPORT_FILE);
  writePage(file, await runHtml(dir));
  return file;
}

/**
 * Writes one page about several runs.
 * @param dirs folders of runs, one or more, in the order in which they are to be shown
 * @param into the folder of the page; made where it is missing
 * @returns the page's absolute path
 * @throws ReportError when a run cannot be read or the page cannot be written
 */
export async function renderComparison(dirs: readonly string[], into: string, extras: Extras = {}): Promise<string> {
  return writeInto(into, await comparisonHtml(dirs, extras));
}

/**
 * Writes the page of an experiment.
 * @param into the folder of the page; made where it is missing
 * @returns the page's absolute path
 * @throws ReportError when the page cannot be written
 */
export async function renderExperiment(experiment: Experiment, into: string): Promise<string> {
  return writeInto(into, experimentPage(experiment, await pageAssets("report")));
}
