/** One run with its report: from the settings to the summary, whatever happens in between. */
import { sharedClock } from "../../services/real-time/clock.ts";
import type { LoadWatch } from "../output/load-metrics.ts";
import { watchProcess } from "../../services/telemetry/process-stats.ts";
import { createAttack } from "../send/attack.ts";
import { closedLoop } from "../send/closed.ts";
import type { LoadConfig } from "../core/config.ts";
import { runLifecycle, type RunOutcome, type RunParts } from "./lifecycle.ts";
import type { Load } from "../send/load.ts";
import { openLoop } from "../send/open.ts";
import type { ProgressView } from "../output/progress.ts";
import { tiersOfChain } from "./instances.ts";
import { patienceOf } from "./tiers.ts";
import { createReportFolder, ReportFolderError, type ReportFolder } from "../output/report-folder.ts";
import type { RunFacts } from "../core/run-facts.ts";
import type { RunSummary } from "../core/run-summary.ts";
import { summarise } from "../core/summary.ts";
import { ClientTally } from "../output/tally.ts";
import { summaryText } from "../output/terminal.ts";
import { LATE_AFTER_MS } from "../core/validity.ts";

export interface LoadRunRequest {
  readonly config: LoadConfig;
  /** The text of `effective.env`. */
  readonly environment: string;
  /** The wall clock. */
  readonly now: () => Date;
  readonly stop: AbortSignal;
  /** Called as the measured run begins. */
  readonly progress: () => ProgressView;
  /** Is told of every request of the measured run. */
  readonly watch?: LoadWatch | undefined;
}

export interface RunResult {
  readonly summary: RunSummary;
  /** The report's folder; undefined where it could not be written in full. */
  readonly folder: string | undefined;
  /** Amplification second by second. */
  readonly overTime: readonly number[];
  /** Why the report is not complete; for a person. */
  readonly reportProblem: string | undefined;
}

function factsOf(config: LoadConfig, startedAt: Date, tally: ClientTally, outcome: RunOutcome): RunFacts {
  const { policy, scenario, seed, mode, rate, durationS, rateProfile, world, clientTimeoutMs } = config;
  const { due, ...rest } = outcome;
  return {
    policy,
    // By hand, "auto" cannot be told from processes.
    world: world === "compose" ? "compose" : "process",
    scenario,
    seed,
    startedAt: startedAt.toISOString(),
    mode,
    plan: { rate, durationS, rateProfile },
    client: tally.figures(due),
    clientTimeoutMs,
    ...rest,
  };
}

/** Writes what is left to write. Returns the problem where the disk does not take it. */
export async function finish(folder: ReportFolder, summary: RunSummary): Promise<string | undefined> {
  try {
    await folder.close();
    folder.write("summary.txt", summaryText(summary, folder.path, false, folder.overTime));
    folder.write("summary.json", `${JSON.stringify(summary, null, 2)}\n`);
    return undefined;
  } catch (error) {
    if (error instanceof ReportFolderError) return error.message;
    throw error;
  }
}

/** `load`, with each request that becomes due told to `watch`. */
function watched(load: Load, watch: LoadWatch | undefined): Load {
  if (watch === undefined) return load;
  return (run) =>
    load({
      ...run,
      onDue: () => {
        watch.due();
        run.onDue();
      },
    });
}

/** Runs the lifecycle; what it holds open is closed however it ends. */
async function attackChain(
  { config, stop, progress, watch }: LoadRunRequest,
  folder: ReportFolder,
  tally: ClientTally,
): Promise<RunOutcome | undefined> {
  const { chain, clientConnections: connections, clientTimeoutMs: timeoutMs, seed } = config;
  const attack = createAttack({ url: chain[0]?.url ?? "", connections, timeoutMs, seed, clock: sharedClock });
  const process = watchProcess();
  let view: ProgressView | undefined;
  let over = false;
  const listeners: RunParts["listeners"] = {
    onBegin: () => {
      view = progress();
    },
    onRecord(record, sent) {
      // What ends because its connection is closed at the end did not end by itself.
      if (over) return;
      tally.add(record, sent);
      const { outcome, latencyMs, lateMs } = record;
      watch?.ended({ outcome, latencyMs, sent, late: lateMs > LATE_AFTER_MS });
      folder.addRecord(record);
    },
    onSample: (sample) => folder.addSample(sample),
    onProgress: (now) => view?.show(now, tally.successRate()),
  };
  const tiers = tiersOfChain(chain, sharedClock, patienceOf(stop));
  const load = watched(config.mode === "closed" ? closedLoop : openLoop, watch);
  try {
    return await runLifecycle({ tiers, clock: sharedClock, attack, stop, config, process, listeners }, load);
  } finally {
    over = true;
    view?.stop();
    process.close();
    await attack.close();
  }
}

/**
 * @returns undefined when the user stopped it before anything was measured; then no report is left
 * @throws TierError, ReportFolderError: nothing was measured, and the message says why
 */
export async function runLoad(request: LoadRunRequest): Promise<RunResult | undefined> {
  const { config, environment, now } = request;
  const startedAt = now();
  const folder = createReportFolder(config.reportsDir, config.policy, startedAt);
  const tally = new ClientTally();
  let outcome: RunOutcome | undefined;
  try {
    folder.write("effective.env", environment);
    outcome = await attackChain(request, folder, tally);
  } finally {
    if (outcome === undefined) await folder.discard();
  }
  if (outcome === undefined) return undefined;
  const summary = summarise(factsOf(config, startedAt, tally, outcome));
  const reportProblem = await finish(folder, summary);
  const path = reportProblem === undefined ? folder.path : undefined;
  return { summary, folder: path, overTime: folder.overTime, reportProblem };
}
