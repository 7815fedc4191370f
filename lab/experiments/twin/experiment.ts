/** `bin/lab twin`: the same scenarios, policies and seeds over HTTP and in virtual time, and whether the two agree. */
import { ConfigError } from "../../../services/settings/values.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { forgetFinished } from "../../runs/finished-cells.ts";
import { usualOf } from "../../runs/triggers.ts";
import { keptRuns, planTwin, runsOverHttp, type TwinPlan } from "./plan.ts";
import { explained, type ExplainedVerdict } from "./explanation.ts";
import type { RunPair } from "./judgement.ts";
import { announcement, expectedSeconds, twinCases, type TwinCase, type TwinRequest } from "./cases.ts";
import { measureAll, pairsOf, oneWayOf, type MakeRuns } from "./runs.ts";
import type { OneWay } from "./one-way.ts";

export interface TwinResult {
  readonly schema: 1;
  readonly way: OneWay;
  readonly verdicts: readonly ExplainedVerdict[];
}

function casesOf(context: ExperimentContext, request: TwinRequest): TwinCase[] {
  const world = context.valueOf("WORLD");
  if (context.typed.includes("WORLD") && world !== "process") {
    throw new ConfigError([
      `WORLD=${world} does not go with twin, which compares local processes with virtual time. Leave it out; runs in Compose can be judged with --from.`,
    ]);
  }
  return twinCases(request, (trigger) => usualOf(context, trigger));
}

function announce({ say }: ExperimentContext, plan: TwinPlan): void {
  const kept = keptRuns(plan);
  const missing = runsOverHttp(plan).filter(({ key }) => !kept.has(key));
  const seconds = expectedSeconds(missing.map(({ env }) => Number(env["DURATION_S"])));
  if (kept.size > 0) say(`${kept.size} runs are kept from an earlier start in ${plan.folder}.`);
  say(announcement(plan.cases, missing.length, seconds));
}

function verdictsOf({ cases }: TwinPlan, pairs: ReadonlyMap<string, RunPair>): ExplainedVerdict[] {
  return cases.map(({ scenario, policy, by, repeat, runs }) => {
    const own = runs.flatMap(({ key }) => pairs.get(key) ?? []);
    return explained({ scenario, policy, by, asked: repeat, pairs: own });
  });
}

/** Runs both worlds and judges. Rejects with `Stopped` when the user stopped it: what was measured is kept. */
export async function twinCheck(
  context: ExperimentContext,
  request: TwinRequest,
  makeRuns: MakeRuns,
): Promise<{ readonly result: TwinResult; readonly folder: string }> {
  const plan = planTwin(context, casesOf(context, request));
  announce(context, plan);
  const measured = await measureAll(context, plan, makeRuns);
  const oneWay = await oneWayOf(context, plan, measured);
  const verdicts = verdictsOf(plan, await pairsOf(context, plan, measured, oneWay));
  // With too few valid runs, the same command makes those that are missing; else it measures anew.
  if (verdicts.every(({ verdict }) => verdict !== "too few valid runs")) forgetFinished(plan.folder);
  return { result: { schema: 1, way: oneWay, verdicts }, folder: plan.folder };
}
