/** The twin's runs before they are made: their settings, their names, and what an earlier start has kept. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { experimentFolder, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import { cellKey, readFinished, sweepName } from "../../runs/finished-cells.ts";
import type { NamedEnv } from "../../runs/runner.ts";
import type { TwinCase } from "./plan.ts";
import { oneWaySettings } from "./one-way.ts";

export interface TwinRun extends NamedEnv {
  /** What is set over all else, in both worlds. */
  readonly settings: Readonly<Record<string, string>>;
  readonly key: string;
}

export interface PlannedCase extends TwinCase {
  readonly runs: readonly TwinRun[];
}

export interface TwinPlan {
  readonly cases: readonly PlannedCase[];
  /** The run that measures the way; undefined where the user gave it. */
  readonly oneWay: TwinRun | undefined;
  /** The same plan has the same folder, so that it finds what it has kept. */
  readonly folder: string;
}

export interface KeptRun {
  readonly key: string;
  readonly summary: RunSummary;
}

// The way is virtual time's: as a setting of a run over HTTP it would be refused.
const OVER_HTTP = { WORLD: "process", ONE_WAY_MS: String(ONE_WAY_MS) };

function planned(
  context: ExperimentContext,
  wanted: readonly { readonly name: string; readonly settings: Readonly<Record<string, string>> }[],
): TwinRun[] {
  const envs = settingsForEach(
    context,
    wanted.map(({ settings }) => ({ ...settings, ...OVER_HTTP })),
  );
  return wanted.flatMap((run, i) => {
    const env = envs[i];
    return env === undefined ? [] : [{ ...run, env, key: cellKey(env) }];
  });
}

/** @throws ConfigError with the faults of every run */
export function planTwin(context: ExperimentContext, cases: readonly TwinCase[]): TwinPlan {
  const env = context.settingsFor({});
  const first = Number(env["SEED"] ?? 1);
  const wanted = cases.flatMap(({ scenario, policy, repeat, settings }) =>
    Array.from({ length: repeat }, (_, i) => ({
      name: `${scenario}-${policy}-seed-${first + i}`,
      settings: { ...settings, POLICY: policy, SEED: String(first + i) },
    })),
  );
  const wayOf = { name: "way", settings: { ...oneWaySettings(env), POLICY: cases[0]?.policy ?? "naive" } };
  const isGiven = context.typed?.includes("ONE_WAY_MS") === true;
  const all = planned(context, isGiven ? wanted : [...wanted, wayOf]);
  const withRuns = cases.map((one, i): PlannedCase => {
    const before = cases.slice(0, i).reduce((sum, { repeat }) => sum + repeat, 0);
    return { ...one, runs: all.slice(before, before + one.repeat) };
  });
  const keys = all.map(({ key }) => key);
  const folder = experimentFolder(context, sweepName(keys, "twin"));
  return { cases: withRuns, oneWay: isGiven ? undefined : all.at(-1), folder };
}

/** All runs over HTTP, that of the way first; then seed by seed, so that a busy spell meets every policy alike. */
export function runsOverHttp({ cases, oneWay }: Pick<TwinPlan, "cases" | "oneWay">): TwinRun[] {
  const most = Math.max(...cases.map(({ runs }) => runs.length));
  const bySeed = Array.from({ length: most }, (_, i) => cases.flatMap(({ runs }) => runs[i] ?? []));
  return [...(oneWay === undefined ? [] : [oneWay]), ...bySeed.flat()];
}

/** What an earlier start of the same plan has measured, by key: valid runs only. */
export function keptRuns({ folder }: TwinPlan): Map<string, RunSummary> {
  const kept = readFinished<KeptRun>(folder);
  return new Map([...kept].map(([key, { summary }]) => [key, summary]));
}
