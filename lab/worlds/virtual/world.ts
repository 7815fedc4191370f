/**
 * The virtual world: the whole chain in one process, in virtual time (core/run.ts). It writes the same report folder
 * and prints the same table as the other worlds; what it needs is a moment of CPU instead of real seconds.
 *
 * There is nothing to warm up, no process to measure and no wall clock in the results, so the same settings give the
 * same summary and records to the byte.
 */
import { loadConfigOf, type LoadConfig } from "../../../loadgen/core/config.ts";
import {
  createReportFolder,
  environmentText,
  ReportFolderError,
  type ReportFolder,
} from "../../../loadgen/output/report-folder.ts";
import { finish } from "../../../loadgen/run/run.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { NOTHING_COUNTED, sampleOf } from "../../../loadgen/core/series.ts";
import { summarise } from "../../../loadgen/core/summary.ts";
import { summaryText } from "../../../loadgen/output/terminal.ts";
import { readingOf } from "../../../loadgen/run/watch.ts";
import { readValues } from "../../../services/settings/values.ts";
import { renderRun } from "../../report/pages/write-report.ts";
import type { VirtualRun } from "./core/run.ts";
import { factsOf, makeVirtual } from "./facts.ts";
import { statsOf } from "./stats.ts";
import type { RunInWorld, WorldRun } from "../world.ts";
import { messageOf } from "../../../services/settings/known-error.ts";

/** Milliseconds of virtual time between two samples of the series. */
const EVERY_MS = 1000;

const INTERRUPTED = "it was interrupted; what is shown is what was measured until then.";

/** Lets what else waits in this process happen: an interrupt, a write to the disk. */
const letOthersIn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Drives the run to its end, or until it is stopped. */
async function drive(run: VirtualRun, folder: ReportFolder, stop: AbortSignal): Promise<void> {
  let before = NOTHING_COUNTED;
  const look = (): void => {
    const result = run.result();
    const reading = readingOf(result.atMs, result.due, statsOf(result));
    folder.addSample(sampleOf(before, reading));
    before = reading;
  };
  while (!stop.aborted && run.advance()) {
    if (run.now < before.atMs + EVERY_MS) continue;
    look();
    await letOthersIn();
  }
  if (run.now > before.atMs) look();
}

function prepare(env: WorldRun["env"], folderOf: (load: LoadConfig) => ReportFolder) {
  const values = readValues(env);
  const folder = folderOf(loadConfigOf(values));
  folder.write("effective.env", environmentText(values.effective()));
  return { folder, made: makeVirtual(env, (record) => folder.addRecord(record)) };
}

/** Where the result goes besides the folder's data. */
export interface Outlets {
  readonly print: (text: string) => void;
  /** Makes the page of the run in `folder`. */
  readonly render: (folder: string) => Promise<unknown>;
}

/** The page is an extra: without it the run is as good as it was. */
async function renderPage(render: Outlets["render"], folder: string, say: WorldRun["say"]): Promise<void> {
  try {
    await render(folder);
  } catch (error) {
    say(`report.html could not be made: ${messageOf(error)}`);
  }
}

function textOf(
  { loadArguments, ambient }: WorldRun,
  summary: RunSummary,
  folder: string | undefined,
  overTime: readonly number[],
): string {
  if (loadArguments.includes("--json")) return `${JSON.stringify(summary, null, 2)}\n`;
  const colour = process.stdout.isTTY && (ambient["NO_COLOR"] ?? "") === "";
  return summaryText(summary, folder, colour, overTime);
}

async function makeRun(world: WorldRun, { print, render }: Outlets): Promise<number> {
  const { folder, made } = prepare(world.env, ({ reportsDir, policy }) =>
    createReportFolder(reportsDir, policy, new Date()),
  );
  await drive(made.run, folder, world.stop);
  const summary = summarise(factsOf(made, world.stop.aborted ? [INTERRUPTED] : []));
  const reportProblem = await finish(folder, summary);
  if (reportProblem === undefined) await renderPage(render, folder.path, world.say);
  else world.say(`${reportProblem} The result below is not saved.`);
  const path = reportProblem === undefined ? folder.path : undefined;
  print(textOf(world, summary, path, folder.overTime));
  return summary.valid && reportProblem === undefined ? 0 : 1;
}

/** As any world's run (world.ts), with the result going to `outlets`. */
export async function runVirtually(world: WorldRun, outlets: Outlets): Promise<number> {
  try {
    return await makeRun(world, outlets);
  } catch (error) {
    if (!(error instanceof ReportFolderError)) throw error;
    world.say(error.message);
    return 1;
  }
}

export const runInVirtualTime: RunInWorld = (world) =>
  runVirtually(world, { print: (text) => process.stdout.write(text), render: renderRun });
