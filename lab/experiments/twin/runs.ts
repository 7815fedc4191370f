/** The twin's runs: over HTTP one by one, kept as they end, and then the same seeds in virtual time. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { tiersOf } from "../../../services/settings/values.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { runnerParts, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import { keepFinished } from "../../runs/finished-cells.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach } from "../../runs/runner.ts";
import { RunFailed, Stopped } from "../../runs/stopped.ts";
import { keptRuns, runsOverHttp, type TwinPlan, type TwinRun } from "./cells.ts";
import type { RunPair } from "./judgement.ts";
import { givenOneWay, oneWayFrom, type OneWay } from "./one-way.ts";

/** Makes runs in the world that its parts name. */
export type MakeRuns = typeof runEach;

/** One pass over `runs`; valid ones are kept at once. */
async function measureOnce(
  context: ExperimentContext,
  runs: readonly TwinRun[],
  folder: string,
  makeRuns: MakeRuns,
  measured: Map<string, RunSummary>,
): Promise<void> {
  const bar = progressBar("runs over HTTP", runs.length);
  try {
    await makeRuns(runs, runnerParts(context, "process", folder), ({ name, key }, { summary }) => {
      measured.set(key, summary);
      if (summary.valid) keepFinished(folder, { key, summary });
      else context.say(`${name} is INVALID and does not count: ${summary.invalidReasons.join("; ")}`);
      bar.step();
    });
  } finally {
    bar.end();
  }
}

/**
 * Every run of the plan over HTTP, by key. An invalid one is made once more, and no further: a machine that stays busy
 * must not keep the twin for ever. Rejects with `Stopped` or `RunFailed` where it could not go on; what was measured is kept.
 */
export async function measureAll(
  context: ExperimentContext,
  plan: TwinPlan,
  makeRuns: MakeRuns,
): Promise<Map<string, RunSummary>> {
  const all = runsOverHttp(plan);
  const measured = keptRuns(plan);
  try {
    for (const pass of ["first", "again"]) {
      // A folder of its own for each, since the report of a run is found by its folder.
      const missing = all
        .filter(({ key }) => measured.get(key)?.valid !== true)
        .map((run) => ({ ...run, name: `${run.name}-${pass}-${context.stamp}` }));
      if (missing.length > 0) await measureOnce(context, missing, plan.folder, makeRuns, measured);
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof RunFailed) {
      context.say(
        `${keptRuns(plan).size} of ${all.length} runs are valid and kept in ${plan.folder}; the same command goes on from there.`,
      );
    }
    throw error;
  }
  return measured;
}

/** The same run in virtual time with ways of `oneWayMs`. */
const inVirtualTime = (oneWayMs: number) => ({ WORLD: "virtual", ONE_WAY_MS: String(oneWayMs) });

async function summariesOf(
  context: ExperimentContext,
  runs: readonly TwinRun[],
  oneWayMs: number,
): Promise<Map<string, RunSummary>> {
  const summaries = new Map<string, RunSummary>();
  const virtual = settingsForEach(
    context,
    runs.map(({ settings }) => ({ ...settings, ...inVirtualTime(oneWayMs) })),
  ).flatMap((env, i) => {
    const run = runs[i];
    return run === undefined ? [] : [{ ...run, env }];
  });
  await runEach(virtual, runnerParts(context, "virtual", ""), ({ key }, { summary }) => {
    summaries.set(key, summary);
  });
  return summaries;
}

/** The way that the predictions are made with. */
export async function oneWayOf(
  context: ExperimentContext,
  { oneWay: run }: TwinPlan,
  measured: ReadonlyMap<string, RunSummary>,
): Promise<OneWay> {
  if (run === undefined) return givenOneWay(context);
  const overHttp = measured.get(run.key);
  if (overHttp?.valid !== true) return { ms: ONE_WAY_MS, from: "invalid" };
  const wayless = (await summariesOf(context, [run], 0)).get(run.key);
  if (wayless === undefined) throw new Error(`${run.name} was not made in virtual time`);
  return oneWayFrom(overHttp, wayless, tiersOf(run.env).length);
}

/** Each run in both worlds, by key. */
export async function pairsOf(
  context: ExperimentContext,
  { cases }: TwinPlan,
  measured: ReadonlyMap<string, RunSummary>,
  { ms }: OneWay,
): Promise<Map<string, RunPair>> {
  const runs = cases.flatMap((one) => one.runs);
  const predicted = await summariesOf(context, runs, ms);
  const pairs = runs.flatMap(({ key }): [string, RunPair][] => {
    const [overHttp, virtual] = [measured.get(key), predicted.get(key)];
    return overHttp === undefined || virtual === undefined
      ? []
      : [[key, { measured: overHttp, predicted: virtual }]];
  });
  return new Map(pairs);
}
