/**
 * The virtual world: the whole chain in one process, in virtual time (lab/virtual). It writes the same report folder
 * and prints the same table as the other worlds; what it needs is a moment of CPU instead of real seconds.
 *
 * There is nothing to warm up, no process to measure and no wall clock in the results, so the same settings give the
 * same summary and records to the byte.
 */
import { loadConfigOf, type LoadConfig } from "../../loadgen/config.ts";
import {
  createReportFolder,
  environmentText,
  ReportFolderError,
  type ReportFolder,
} from "../../loadgen/report-folder.ts";
import { finish } from "../../loadgen/run.ts";
import type { RunFacts, TierFacts } from "../../loadgen/run-facts.ts";
import type { RunSummary } from "../../loadgen/run-summary.ts";
import { schedule } from "../../loadgen/schedule.ts";
import { NOTHING_YET, sampleOf } from "../../loadgen/series.ts";
import { summarise } from "../../loadgen/summary.ts";
import { ClientTally } from "../../loadgen/tally.ts";
import { summaryText } from "../../loadgen/terminal.ts";
import { readingOf } from "../../loadgen/watch.ts";
import { readValues, tiersOf } from "../../services/platform/values.ts";
import { renderRun } from "../report/write-report.ts";
import { VirtualRun, type VirtualConfig } from "../virtual/run.ts";
import { virtualConfigOf } from "./virtual-config.ts";
import { descriptionsOf, statsOf } from "./virtual-stats.ts";
import type { RunInWorld, WorldRun } from "./world.ts";

/** Milliseconds of virtual time between two samples of the series. */
const EVERY_MS = 1000;

const INTERRUPTED = "it was interrupted; what is shown is what was measured until then.";

/** Lets what else waits in this process happen: an interrupt, a write to the disk. */
const letOthersIn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Drives the run to its end, or until it is stopped. */
async function drive(run: VirtualRun, folder: ReportFolder, stop: AbortSignal): Promise<void> {
  let before = NOTHING_YET;
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

interface Made {
  readonly load: LoadConfig;
  readonly config: VirtualConfig;
  readonly tally: ClientTally;
  readonly run: VirtualRun;
}

function factsOf({ load, config, tally, run }: Made, incidents: readonly string[]): RunFacts {
  const { policy, scenario, seed, rate, durationS, rateProfile } = load;
  const result = run.result();
  const last = statsOf(result);
  const tiers = descriptionsOf(config).flatMap((description, i): TierFacts[] => {
    const stats = last[i];
    return stats === undefined ? [] : [{ description, last: stats }];
  });
  return {
    policy,
    world: "virtual",
    scenario,
    seed,
    startedAt: null,
    mode: "open",
    plan: { rate, durationS, rateProfile },
    loadedS: Math.min(durationS, result.atMs / 1000),
    elapsedS: result.atMs / 1000,
    client: tally.figures(result.due),
    clientCpuShare: null,
    tiers,
    underWay: result.underWay,
    incidents,
  };
}

function prepare(env: WorldRun["env"], folderOf: (load: LoadConfig) => ReportFolder) {
  const values = readValues(env);
  const load = loadConfigOf(values);
  const folder = folderOf(load);
  folder.write("effective.env", environmentText(values.effective()));
  const config = virtualConfigOf(values, tiersOf(env), load, schedule(load));
  const tally = new ClientTally();
  const run = new VirtualRun(config, (record, sent) => {
    tally.add(record, sent);
    folder.addRecord(record);
  });
  return { folder, made: { load, config, tally, run } };
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
    say(`report.html could not be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function textOf(
  { loadArguments, ambient }: WorldRun,
  summary: RunSummary,
  folder: string | undefined,
): string {
  if (loadArguments.includes("--json")) return `${JSON.stringify(summary, null, 2)}\n`;
  const colour = process.stdout.isTTY && (ambient["NO_COLOR"] ?? "") === "";
  return summaryText(summary, folder, colour);
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
  print(textOf(world, summary, reportProblem === undefined ? folder.path : undefined));
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
