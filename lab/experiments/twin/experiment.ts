/** `lab twin`: the same scenarios, policies and seeds over HTTP and in virtual time, and whether the two agree. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../../services/settings/values.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { forgetFinished } from "../../runs/finished-cells.ts";
import { rateOf } from "../metastable/experiment.ts";
import { runEach } from "../../runs/runner.ts";
import { keptRuns, planTwin, runsOverHttp, type TwinPlan } from "./cells.ts";
import { explain } from "./explanation.ts";
import { judgeSaved, savedRuns } from "./saved.ts";
import { judge, type RunPair } from "./judgement.ts";
import { announcement, expectedSeconds, twinCases, type TwinCase, type TwinRequest } from "./plan.ts";
import { measureAll, pairsOf, oneWayOf, type MakeRuns } from "./runs.ts";
import { twinCsv, twinText, type ExplainedVerdict } from "./text.ts";
import { givenOneWay, oneWayText, type OneWay } from "./one-way.ts";

export interface TwinResult {
  readonly schema: 1;
  readonly way: OneWay;
  readonly verdicts: readonly ExplainedVerdict[];
}

function casesOf(context: ExperimentContext, request: TwinRequest): TwinCase[] {
  const { typed = [] } = context;
  const { WORLD = "" } = context.settingsFor({});
  if (typed.includes("WORLD") && WORLD !== "process") {
    throw new ConfigError([
      `WORLD=${WORLD} does not go with twin, which compares local processes with virtual time. Leave it out; runs in Compose can be judged with --from.`,
    ]);
  }
  return twinCases(request, typed.includes("DURATION_S"), rateOf(context));
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
    const verdict = judge({ scenario, policy, by, asked: repeat, pairs: own });
    return { ...verdict, explanation: explain(own.filter(({ measured }) => measured.valid)) };
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
  const way = await oneWayOf(context, plan, measured);
  const verdicts = verdictsOf(plan, await pairsOf(context, plan, measured, way));
  // With too few valid runs, the same command makes those that are missing; else it measures anew.
  if (verdicts.every(({ verdict }) => verdict !== "too few valid runs")) forgetFinished(plan.folder);
  return { result: { schema: 1, way, verdicts }, folder: plan.folder };
}

/** Prints and saves. The exit code: 1 where a prediction disagrees, or where too few runs over HTTP are valid. */
function conclude(context: ExperimentContext, result: TwinResult, folder: string, json: boolean): number {
  const file = saveJson(folder, "twin.json", result);
  writeFileSync(join(folder, "twin.csv"), twinCsv(result.verdicts));
  const text = (): string => twinText(result.verdicts, oneWayText(result.way, ONE_WAY_MS));
  context.print(
    json ? JSON.stringify(result, null, 2) : `${text()}\nSaved: ${file}, and twin.csv beside it.`,
  );
  return result.verdicts.every(({ verdict }) => verdict === "agrees") ? 0 : 1;
}

/** @param makeRuns makes the runs over HTTP @returns the exit code */
export async function twinCommand(
  context: ExperimentContext,
  request: TwinRequest & { readonly json: boolean },
  makeRuns: MakeRuns = runEach,
): Promise<number> {
  const { result, folder } = await twinCheck(context, request, makeRuns);
  return conclude(context, result, folder, request.json);
}

export interface SavedRequest {
  /** Report folders, or folders of such. */
  readonly from: readonly string[];
  readonly bistable: readonly string[];
  readonly json: boolean;
}

/** The same for runs that are there already. @returns the exit code */
export async function twinOfSaved(context: ExperimentContext, request: SavedRequest): Promise<number> {
  const runs = savedRuns(request.from);
  const way = givenOneWay(context);
  const verdicts = await judgeSaved(context, runs, request.bistable, way);
  const folder = experimentFolder(context, `twin-${context.stamp}`);
  return conclude(context, { schema: 1, way, verdicts }, folder, request.json);
}
