/** The verb `twin`. */
import { Argument, Option } from "commander";
import { ConfigError } from "../../../services/settings/values.ts";
import { conclude } from "../../runs/conclude.ts";
import { allOf, experimentFolder, type ExperimentContext } from "../../runs/context.ts";
import {
  experimentVerb,
  listOf,
  repeatOf,
  repeatOption,
  takeOnly,
  type ExperimentOptions,
} from "../../runs/experiment-verb.ts";
import { runEach } from "../../runs/runner.ts";
import { triggersNamed } from "../../runs/triggers.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import type { TwinRequest } from "./cases.ts";
import { twinCheck, type TwinResult } from "./experiment.ts";
import { LEAST_FOR_DISTRIBUTION } from "./judgement.ts";
import { givenOneWay, oneWayText } from "./one-way.ts";
import type { MakeRuns } from "./runs.ts";
import { judgeSaved, savedRuns } from "./saved-reports.ts";
import { twinCsv, twinText } from "./text.ts";

interface Options extends ExperimentOptions {
  readonly from?: string[];
  readonly bistable: string;
  readonly bistableRepeat: string;
  readonly trigger?: string;
}

const POLICIES = ["budgeted", "owner", "naive"];

/** More runs over HTTP than this are a slip: they would take more than an hour. */
const MOST_BISTABLE = 300;

function bistableRepeatOf({ bistableRepeat }: Options): number {
  const value = Number(bistableRepeat);
  if (/^\d{1,3}$/.test(bistableRepeat) && value >= LEAST_FOR_DISTRIBUTION && value <= MOST_BISTABLE) return value;
  throw new ConfigError([
    `--bistable-repeat ${bistableRepeat}: a whole number from ${LEAST_FOR_DISTRIBUTION} to ${MOST_BISTABLE} is needed; fewer runs say too little about a distribution.`,
  ]);
}

/** The exit code is 1 where a prediction disagrees, or where too few runs over HTTP are valid. */
function end(context: ExperimentContext, result: TwinResult, folder: string): Promise<number> {
  return conclude(context, {
    folder,
    files: { "twin.json": result, "twin.csv": twinCsv(result.verdicts) },
    result,
    text: () => twinText(result.verdicts, oneWayText(result.way, ONE_WAY_MS)),
    isSound: result.verdicts.every(({ verdict }) => verdict === "agrees"),
  });
}

/** @param makeRuns makes the runs over HTTP @returns the exit code */
export async function twinAgainstHttp(
  context: ExperimentContext,
  request: TwinRequest,
  makeRuns: MakeRuns = runEach,
): Promise<number> {
  const { result, folder } = await twinCheck(context, request, makeRuns);
  return end(context, result, folder);
}

/** The same for runs that are there already. @param from report folders, or folders of such @returns the exit code */
export async function twinOfSaved(
  context: ExperimentContext,
  from: readonly string[],
  bistable: readonly string[],
): Promise<number> {
  const runs = savedRuns(from);
  const oneWay = givenOneWay(context);
  const verdicts = await judgeSaved(context, runs, bistable, oneWay);
  return end(context, { schema: 1, way: oneWay, verdicts }, experimentFolder(context, `twin-${context.stamp}`));
}

function twin(context: ExperimentContext, options: Options, named: readonly string[]): Promise<number> {
  const { from } = options;
  const [repeat, bistableRepeat, triggers] = allOf([
    () => repeatOf(options),
    () => bistableRepeatOf(options),
    () => (options.trigger === undefined ? [] : triggersNamed(listOf(options.trigger))),
    () => {
      if (from !== undefined && named.length > 0)
        throw new ConfigError([`--from does not go with ${named.join(" ")}: it judges what the runs there are of.`]);
    },
  ]);
  const bistable = listOf(options.bistable);
  if (from !== undefined)
    takeOnly(context, ["ONE_WAY_MS", "REPORTS_DIR"], "--from judges runs that are there already.");
  if (from !== undefined) return twinOfSaved(context, from, bistable);
  const policies = named.length === 0 ? POLICIES : named;
  return twinAgainstHttp(context, { policies, repeat, bistable, bistableRepeat, triggers });
}

export const verbTwin = experimentVerb<Options>({
  name: "twin",
  summary: "the same seeds over HTTP and in virtual time, some minutes long: exit 1 where the two disagree",
  page: "docs/twin.md",
  argument: new Argument("[policies...]", `names of files in policies/ (${POLICIES.join(", ")} where none is named)`),
  options: [
    repeatOption("3"),
    new Option("--bistable <names>", "policies at the tipping point, judged by distribution").default("naive"),
    new Option("--bistable-repeat <n>", "seeds for each of those").default(String(LEAST_FOR_DISTRIBUTION)),
    new Option("--trigger <names>", "triggers of `bin/lab metastable`, as further scenarios"),
    new Option("--from <folder...>", "reports of runs over HTTP that are there already; none is made"),
  ],
  world: "process",
  run: twin,
});
