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
import { presentRun, type Presentation } from "../../../loadgen/run/present.ts";
import { finish } from "../../../loadgen/run/run.ts";
import { NOTHING_COUNTED, sampleOf } from "../../../loadgen/core/series.ts";
import { summarise } from "../../../loadgen/core/summary.ts";
import { nextLookMs, readingOf } from "../../../loadgen/run/watch.ts";
import { readValues } from "../../../services/settings/values.ts";
import { renderRun } from "../../report/pages/write-report.ts";
import type { VirtualRun } from "./core/run.ts";
import { factsOf, makeVirtual } from "./facts.ts";
import { statsOf } from "./stats.ts";
import type { RunInWorld, WorldRun } from "../world.ts";

const INTERRUPTED = "it was interrupted; what is shown is what was measured until then.";

/** Lets what else waits in this process happen: an interrupt, a write to the disk. */
const letOthersIn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Drives the run to its end, or until it is stopped. */
async function drive(run: VirtualRun, folder: ReportFolder, loadEndsMs: number, stop: AbortSignal): Promise<void> {
  let before = NOTHING_COUNTED;
  let nextMs = nextLookMs(0, loadEndsMs);
  const look = (): void => {
    const result = run.result();
    const reading = readingOf(result.atMs, result.due, statsOf(result));
    folder.addSample(sampleOf(before, reading));
    before = reading;
    nextMs = nextLookMs(reading.atMs, loadEndsMs);
  };
  while (!stop.aborted && run.advance()) {
    if (run.now < nextMs) continue;
    look();
    await letOthersIn();
  }
  if (run.now > before.atMs) look();
}

function prepare(env: WorldRun["env"], folderOf: (load: LoadConfig) => ReportFolder) {
  const values = readValues(env);
  const load = loadConfigOf(values);
  const folder = folderOf(load);
  folder.write("effective.env", environmentText(values.effective()));
  return { folder, loadEndsMs: load.durationS * 1000, made: makeVirtual(env, (record) => folder.addRecord(record)) };
}

/** Where the result goes besides the folder's data. */
export type Outlets = Pick<Presentation, "print" | "render">;

async function makeRun(world: WorldRun, outlets: Outlets): Promise<number> {
  const { folder, loadEndsMs, made } = prepare(world.env, ({ reportsDir, policy }) =>
    createReportFolder(reportsDir, policy, new Date()),
  );
  await drive(made.run, folder, loadEndsMs, world.stop);
  const summary = summarise(factsOf(made, world.stop.aborted ? [INTERRUPTED] : []));
  const reportProblem = await finish(folder, summary);
  const path = reportProblem === undefined ? folder.path : undefined;
  const json = world.loadArguments.includes("--json");
  return presentRun(
    { summary, folder: path, overTime: folder.overTime, reportProblem },
    { json, environment: world.ambient, say: world.say, ...outlets },
  );
}

/** As any world's run (world.ts), with the result going to `outlets`. */
export async function runVirtually(world: WorldRun, outlets: Outlets): Promise<number> {
  try {
    return await makeRun(world, outlets);
  } catch (error) {
    if (!(error instanceof ReportFolderError)) throw error;
    world.say(error.message);
    return error.exitCode;
  }
}

export const runInVirtualTime: RunInWorld = (world) =>
  runVirtually(world, { print: (text) => process.stdout.write(text), render: renderRun });
