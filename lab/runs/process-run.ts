/** One run over HTTP as an experiment sees it: made by the process world, then read from its report folder. */
import { join } from "node:path";
import type { z } from "zod";
import type { Sample } from "../../loadgen/core/series.ts";
import { readSummaries, ReportError } from "../report/data/read-summaries.ts";
import { RECORD_FORM, SAMPLE_FORM } from "../report/data/stored-forms.ts";
import { checked, storedText } from "../report/data/stored.ts";
import { makeRun } from "../worlds/make-run.ts";
import type { WorldRun } from "../worlds/world.ts";
import { timelineOf, type CallsUntil } from "./timeline.ts";
import type { RunEnv } from "./pool.ts";
import { RunFailed, Stopped } from "./stopped.ts";
import type { ExperimentRun } from "./virtual-run.ts";

/** @throws ReportError */
function linesOf<Form extends z.ZodType>(folder: string, name: string, form: Form): z.output<Form>[] {
  const file = join(folder, name);
  const lines = storedText(file, Infinity).split("\n");
  return lines.filter((line) => line !== "").map((line) => checked(form, parsed(line), file, "what a run writes"));
}

/** A line that broke off is no value of any form. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function readingsOf(samples: readonly Sample[]): CallsUntil[] {
  let [calls, beforeS] = [0, 0];
  return samples.map(({ tS, backend }) => {
    calls += backend.arrivals * (tS - beforeS);
    beforeS = tS;
    return { tS, calls };
  });
}

/** Reads the one run whose report lies in `folder`. @throws ReportError where there is none */
export function readRunIn(folder: string): ExperimentRun {
  const [saved] = readSummaries([folder]);
  if (saved === undefined) throw new Error(`${folder} holds no run`);
  const { summary, folder: own } = saved;
  const records = linesOf(own, "records.ndjson", RECORD_FORM);
  const readings = readingsOf(linesOf(own, "series.ndjson", SAMPLE_FORM));
  return { summary, timeline: timelineOf(summary.durationSeconds, records, readings) };
}

/** The samples of the one run whose report lies in `folder`. */
export function readSamplesIn(folder: string): Sample[] {
  return readSummaries([folder]).flatMap((saved) => linesOf(saved.folder, "series.ndjson", SAMPLE_FORM));
}

export type Surroundings = Pick<WorldRun, "ambient" | "stop" | "onKill" | "say" | "onChain">;

/** @param reportsDir a folder for this run alone. Rejects with `Stopped`, or with `RunFailed` where it left no report. */
export async function runInProcessWorld(
  env: RunEnv,
  reportsDir: string,
  surroundings: Surroundings,
): Promise<ExperimentRun> {
  const settings = { ...env, WORLD: "process", REPORTS_DIR: reportsDir };
  await makeRun({ ...surroundings, env: settings, loadArguments: ["--json"], quiet: true });
  if (surroundings.stop.aborted) throw new Stopped();
  try {
    return readRunIn(reportsDir);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    throw new RunFailed(`The experiment ends here, since a run came to nothing: ${error.message}`);
  }
}
