/** The twin's runs: over HTTP one by one, kept as they end, and then the same seeds in virtual time. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { tiersOf } from "../../../services/settings/values.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { runnerParts, type ExperimentContext } from "../../runs/context.ts";
import { planned } from "../../runs/planned.ts";
import { keepFinished } from "../../runs/finished-cells.ts";
import { runEach } from "../../runs/runner.ts";
import { RunFailed, Stopped } from "../../runs/stopped.ts";
import type { ExperimentRun } from "../../runs/virtual-run.ts";
import { keptRuns, runsOverHttp, type TwinPlan, type TwinRun } from "./plan.ts";
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
  const keep = ({ name, key }: TwinRun, { summary }: ExperimentRun): void => {
    measured.set(key, summary);
    if (summary.valid) keepFinished(folder, { key, summary });
    else context.say(`${name} is INVALID and does not count: ${summary.invalidReasons.join("; ")}`);
  };
  await makeRuns(runs, runnerParts(context, "process", folder), keep, { what: "runs over HTTP" });
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

/** The same runs in virtual time, with links of `oneWayMs`. */
async function predict(context: ExperimentContext, runs: readonly TwinRun[], oneWayMs: number): Promise<RunSummary[]> {
  const own = { WORLD: "virtual", ONE_WAY_MS: String(oneWayMs) };
  const wanted = runs.map((run) => ({ ...run, derived: { ...run.derived, ...own } }));
  return runEach(planned(context, wanted), runnerParts(context, "virtual", ""), (_, { summary }) => summary);
}

/** The one-way latency that the predictions are made with. */
export async function oneWayOf(
  context: ExperimentContext,
  { oneWay: run }: TwinPlan,
  measured: ReadonlyMap<string, RunSummary>,
): Promise<OneWay> {
  if (run === undefined) return givenOneWay(context);
  const overHttp = measured.get(run.key);
  if (overHttp?.valid !== true) return { ms: ONE_WAY_MS, from: "invalid" };
  const [instant] = await predict(context, [run], 0);
  if (instant === undefined) throw new Error(`${run.name} was not made in virtual time`);
  return oneWayFrom(overHttp, instant, tiersOf(run.env).length);
}

/** Each run in both worlds, by key. */
export async function pairsOf(
  context: ExperimentContext,
  { cases }: TwinPlan,
  measured: ReadonlyMap<string, RunSummary>,
  { ms }: OneWay,
): Promise<Map<string, RunPair>> {
  const runs = cases.flatMap((one) => one.runs);
  const virtual = await predict(context, runs, ms);
  const pairs = runs.flatMap(({ key }, i): [string, RunPair][] => {
    const [overHttp, predicted] = [measured.get(key), virtual[i]];
    return overHttp === undefined || predicted === undefined ? [] : [[key, { measured: overHttp, predicted }]];
  });
  return new Map(pairs);
}
