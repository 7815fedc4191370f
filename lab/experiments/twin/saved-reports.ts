/**
 * `bin/lab twin --from`: runs over HTTP that were made before, in whatever world, beside their predictions. So a measurement
 * need not be made twice, and runs in Compose can be judged as well.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { parseDotenv } from "../../../services/settings/dotenv.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import { pathsIn, readSummaries } from "../../report/data/read-summaries.ts";
import { storedText } from "../../report/data/stored.ts";
import { runnerParts, type ExperimentContext } from "../../runs/context.ts";
import { cellKey } from "../../runs/finished-cells.ts";
import { runEach, type NamedEnv } from "../../runs/runner.ts";
import { explained, type ExplainedVerdict } from "./explanation.ts";
import type { RunPair } from "./judgement.ts";
import type { OneWay } from "./one-way.ts";

interface SavedRun extends NamedEnv {
  readonly summary: RunSummary;
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** A comparison's folder has a folder for each run, and the report in that; any other is taken as it is. */
function foldersOf(folder: string): string[] {
  const folders = (isFolder(folder) ? pathsIn(folder) : []).filter(isFolder);
  const holdsReports = [folder, ...folders].some((one) => existsSync(join(one, "summary.json")));
  return holdsReports || folders.length === 0 ? [folder] : folders;
}

function faultOf({ name, env, summary }: SavedRun): string[] {
  if (summary.world === "virtual")
    return [`--from ${name}: it ran in virtual time, and there is nothing to set it against.`];
  if (Object.keys(env).length === 0)
    return [`--from ${name}: its effective.env is missing or empty; without its settings it cannot be predicted.`];
  if (env["LOAD"] === "closed") return [`--from ${name}: it ran with LOAD=closed, which virtual time has no model of.`];
  return [];
}

/** @throws ReportError for a folder without a report @throws ConfigError with every run that has no prediction */
export function savedRuns(folders: readonly string[]): SavedRun[] {
  const runs = readSummaries(folders.flatMap(foldersOf)).map(({ folder, summary }): SavedRun => {
    const file = join(folder, "effective.env");
    const env = existsSync(file) ? parseDotenv(storedText(file)).settings : {};
    return { name: folder, env, summary };
  });
  const faults = runs.flatMap(faultOf);
  if (faults.length > 0) throw new ConfigError(faults);
  return runs;
}

/** Addresses, which differ from run to run and change nothing. */
const WIRING = { CHAIN: "", UPSTREAM_URL: "" };

/** Runs that differ in nothing but their seed. */
function groupsOf(runs: readonly SavedRun[]): SavedRun[][] {
  const groups = new Map<string, SavedRun[]>();
  for (const run of runs) {
    const key = cellKey({ ...run.env, ...WIRING, WORLD: run.summary.world, SEED: "" });
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** @param bistable policies that are judged by distribution @param oneWay what the predictions are made with */
export async function judgeSaved(
  context: ExperimentContext,
  runs: readonly SavedRun[],
  bistable: readonly string[],
  oneWay: OneWay,
): Promise<ExplainedVerdict[]> {
  const virtual = runs.map((saved) => ({
    name: saved.name,
    env: { ...saved.env, WORLD: "virtual", ONE_WAY_MS: String(oneWay.ms) },
    saved,
  }));
  const pairs = new Map(
    await runEach(
      virtual,
      runnerParts(context, "virtual", ""),
      ({ saved }, { summary: predicted }): [SavedRun, RunPair] => [saved, { measured: saved.summary, predicted }],
    ),
  );
  return groupsOf(runs).map((group) => {
    const own = group.flatMap((run) => pairs.get(run) ?? []);
    const { scenario = "", policy = "", world = "" } = group[0]?.summary ?? {};
    const by = bistable.includes(policy) ? "distribution" : "tolerance";
    return explained({ scenario: `${scenario} in ${world}`, policy, by, asked: own.length, pairs: own });
  });
}
