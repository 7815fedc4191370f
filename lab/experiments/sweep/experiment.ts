/** `bin/lab sweep`: every combination of what is varied, on all cores; what is finished is never computed again. */
import { z } from "zod";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import { experimentFolder, runnerParts, type ExperimentContext } from "../../runs/context.ts";
import { planned } from "../../runs/planned.ts";
import { cellKey, keepFinished, readFinished, sweepName } from "../../runs/finished-cells.ts";
import { MEASURE_NAMES, measureNamed, type MeasureName } from "../../runs/measures.ts";
import type { RunEnv } from "../../runs/pool.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { runEach, type ExperimentWorld, type NamedEnv } from "../../runs/runner.ts";
import { estimates, type Estimate } from "../../runs/statistics.ts";
import { Stopped } from "../../runs/stopped.ts";
import { axesOf, combinations, type Axis } from "./axes.ts";

/** One point of the sweep; its seeds are summed up. */
export interface Point {
  readonly policy: string;
  /** What is varied, by name. */
  readonly at: Readonly<Record<string, string>>;
}

export interface PointResult extends Point {
  readonly runs: number;
  readonly validRuns: number;
  readonly limit: number | null;
  readonly metrics: Readonly<Record<MeasureName, Estimate | null>>;
}

/** One run of a point, as it is kept. */
export interface FinishedCell {
  readonly key: string;
  readonly valid: boolean;
  readonly values: Readonly<Record<MeasureName, number | null>>;
  /** The best that any policy could reach, 0 to 1; null where nothing was offered. */
  readonly limit: number | null;
}

const FINISHED_CELL: z.ZodType<FinishedCell> = z.object({
  key: z.string(),
  valid: z.boolean(),
  values: z.record(z.enum(MEASURE_NAMES), z.number().nullable()),
  limit: z.number().nullable(),
});

export interface SweepRequest {
  readonly policies: readonly string[];
  /** As they were typed: RATE=20..120:5 */
  readonly vary: readonly string[];
  /** Seeds for each point, 1 or more. */
  readonly repeat: number;
  readonly world: ExperimentWorld;
}

export interface Sweep {
  readonly axes: readonly Axis[];
  readonly points: readonly PointResult[];
  readonly folder: string;
  /** Cells that were there from an earlier start. */
  readonly kept: number;
}

export function pointsOf(policies: readonly string[], axes: readonly Axis[]): Point[] {
  return [...new Set(policies)].flatMap((policy) => combinations(axes).map((at) => ({ policy, at })));
}

/** @param cells one for each seed, at least one */
export function pointResult(point: Point, cells: readonly FinishedCell[]): PointResult {
  return {
    ...point,
    runs: cells.length,
    validRuns: cells.filter(({ valid }) => valid).length,
    limit: cells[0]?.limit ?? null,
    metrics: estimates(
      MEASURE_NAMES,
      (name) => cells.map(({ values }) => values[name]),
      `${point.policy}/${JSON.stringify(point.at)}`,
    ),
  };
}

/** All cells by their keys, point by point and seed by seed. @throws ConfigError with the faults of all */
function cellsOf(context: ExperimentContext, { repeat, world }: SweepRequest, points: readonly Point[]): NamedEnv[] {
  const seeds = seedsFrom(context, repeat);
  const wanted = points.flatMap(({ policy, at }) =>
    seeds.map((seed) => ({
      name: policy,
      settings: at,
      derived: { POLICY: policy, SEED: String(seed), WORLD: world },
    })),
  );
  return planned(context, wanted).map(({ env }) => ({ env, name: cellKey(env) }));
}

export function finishedCell(env: RunEnv, summary: RunSummary): FinishedCell {
  const values = Object.fromEntries(MEASURE_NAMES.map((name) => [name, measureNamed(name).of(summary)]));
  return {
    key: cellKey(env),
    valid: summary.valid,
    values: values as FinishedCell["values"],
    limit: summary.limit.successRate,
  };
}

async function computeMissing(
  context: ExperimentContext,
  cells: readonly NamedEnv[],
  folder: string,
  world: ExperimentWorld,
): Promise<Map<string, FinishedCell>> {
  const finished = readFinished(folder, FINISHED_CELL);
  const missing = cells.filter(({ name }) => !finished.has(name));
  const keep = ({ env }: NamedEnv, summary: RunSummary): void => {
    const cell = finishedCell(env, summary);
    keepFinished(folder, cell);
    finished.set(cell.key, cell);
  };
  const progress = { what: "cells", done: cells.length - missing.length };
  try {
    await runEach(missing, runnerParts(context, world, folder), (run, { summary }) => keep(run, summary), progress);
  } catch (error) {
    if (error instanceof Stopped) {
      context.say(
        `${finished.size} of ${cells.length} cells are done and kept in ${folder}; the same command goes on from there.`,
      );
    }
    throw error;
  }
  return finished;
}

const bothProblem = ({ valueOf, instead }: ExperimentContext, { name, values }: Axis): string =>
  `${name}=${valueOf(name)}: it is varied here (${values.join(", ")}). ${instead[name] ?? "Say it once."}`;

/** Rejects with `Stopped` when the user stopped it: what was finished is kept. */
export async function sweep(context: ExperimentContext, request: SweepRequest): Promise<Sweep> {
  const { policies, vary, repeat, world } = request;
  const axes = axesOf(vary);
  const both = axes.filter(({ name }) => context.typed.includes(name));
  if (both.length > 0) throw new ConfigError(both.map((axis) => bothProblem(context, axis)));
  const points = pointsOf(policies, axes);
  const cells = cellsOf(context, request, points);
  const folder = experimentFolder(context, sweepName(cells.map(({ name }) => name)));
  const kept = readFinished(folder, FINISHED_CELL).size;
  const finished = await computeMissing(context, cells, folder, world);
  const results = points.map((point, i) => {
    const own = cells.slice(i * repeat, (i + 1) * repeat);
    return pointResult(
      point,
      own.flatMap(({ name }) => finished.get(name) ?? []),
    );
  });
  return { axes, points: results, folder, kept };
}
