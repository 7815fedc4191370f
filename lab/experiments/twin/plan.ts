/** The twin's runs before they are made: their settings, their names, and what an earlier start has kept. */
import { z } from "zod";
import { SUMMARY_FORM } from "../../report/data/stored-forms.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { experimentFolder, type ExperimentContext } from "../../runs/context.ts";
import { planned, type Wanted } from "../../runs/planned.ts";
import { cellKey, readFinished, sweepName } from "../../runs/finished-cells.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import type { NamedEnv } from "../../runs/runner.ts";
import type { TwinCase } from "./cases.ts";
import { oneWaySettings } from "./one-way.ts";

export interface TwinRun extends NamedEnv, Omit<Wanted, "name"> {
  readonly key: string;
}

export interface PlannedCase extends TwinCase {
  readonly runs: readonly TwinRun[];
}

export interface TwinPlan {
  readonly cases: readonly PlannedCase[];
  /** The run that measures the one-way latency; undefined where the user gave it. */
  readonly oneWay: TwinRun | undefined;
  /** The same plan has the same folder, so that it finds what it has kept. */
  readonly folder: string;
}

export interface KeptRun {
  readonly key: string;
  readonly summary: RunSummary;
}

const KEPT_RUN_FORM: z.ZodType<KeptRun> = z.object({ key: z.string(), summary: SUMMARY_FORM });

// The one-way latency is virtual time's: as a setting of a run over HTTP it would be refused.
const OVER_HTTP = { WORLD: "process", ONE_WAY_MS: String(ONE_WAY_MS) };

/** @throws ConfigError with the faults of every run */
export function planTwin(context: ExperimentContext, cases: readonly TwinCase[]): TwinPlan {
  const { valueOf } = context;
  const wanted = cases.flatMap(({ scenario, policy, repeat, scene = {}, settings }) =>
    seedsFrom(context, repeat).map((seed) => ({
      name: `${scenario}-${policy}-seed-${seed}`,
      scene,
      settings,
      derived: { POLICY: policy, SEED: String(seed), ...OVER_HTTP },
    })),
  );
  // Whatever the user has set is turned down to light load here.
  const light = oneWaySettings(Number(valueOf("RATE")), Number(valueOf("CAPACITY")));
  const derived = { ...light, POLICY: cases[0]?.policy ?? "naive", ...OVER_HTTP };
  const isGiven = context.typed.includes("ONE_WAY_MS");
  const runs = planned(context, isGiven ? wanted : [...wanted, { name: "one-way", settings: {}, derived }]);
  const all = runs.map((run): TwinRun => ({ ...run, key: cellKey(run.env) }));
  const withRuns = cases.map((one, i): PlannedCase => {
    const before = cases.slice(0, i).reduce((sum, { repeat }) => sum + repeat, 0);
    return { ...one, runs: all.slice(before, before + one.repeat) };
  });
  const keys = all.map(({ key }) => key);
  const folder = experimentFolder(context, sweepName(keys, "twin"));
  return { cases: withRuns, oneWay: isGiven ? undefined : all.at(-1), folder };
}

/** All runs over HTTP, that of the one-way latency first; then seed by seed, so that a busy spell meets every policy alike. */
export function runsOverHttp({ cases, oneWay }: Pick<TwinPlan, "cases" | "oneWay">): TwinRun[] {
  const most = Math.max(...cases.map(({ runs }) => runs.length));
  const bySeed = Array.from({ length: most }, (_, i) => cases.flatMap(({ runs }) => runs[i] ?? []));
  return [...(oneWay === undefined ? [] : [oneWay]), ...bySeed.flat()];
}

/** What an earlier start of the same plan has measured, by key: valid runs only. */
export function keptRuns({ folder }: TwinPlan): Map<string, RunSummary> {
  const kept = readFinished(folder, KEPT_RUN_FORM);
  return new Map([...kept].map(([key, { summary }]) => [key, summary]));
}
