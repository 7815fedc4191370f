/**
 * What an experiment compares: arms, each run with the same seeds, so that all of them meet the same random numbers.
 *
 * The faults of all settings are told at once, before anything is run. Runs end in any order; what is read of them comes
 * back arm by arm in the order of the arms, and seed by seed within each.
 */
import { runnerParts, type ExperimentContext } from "./context.ts";
import { planned, type Wanted } from "./planned.ts";
import { runEach, type ExperimentWorld } from "./runner.ts";
import type { ExperimentRun } from "./virtual-run.ts";

export interface Arm extends Wanted {
  readonly name: string;
}

export interface Trial<A extends Arm> {
  readonly arms: readonly A[];
  /** One or more. */
  readonly seeds: readonly number[];
  readonly world?: ExperimentWorld;
  /** Runs over HTTP leave their report folders in here. */
  readonly folder?: string;
}

export interface ArmResults<A extends Arm, T> {
  readonly arm: A;
  /** One for each seed. */
  readonly runs: readonly T[];
}

/** @param repeat how many, from the user's SEED on */
export function seedsFrom({ valueOf }: ExperimentContext, repeat: number): number[] {
  const first = Number(valueOf("SEED"));
  return Array.from({ length: repeat }, (_, i) => first + i);
}

const fileName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]+/g, "-");

/**
 * Made seed by seed, so that a machine that gets busy meets every arm alike.
 *
 * @param read takes of each run what is needed; the rest is forgotten
 * @throws ConfigError with the faults of all. Rejects with `Stopped` when the user stopped it.
 */
export async function runArms<A extends Arm, T>(
  context: ExperimentContext,
  { arms, seeds, world = "virtual", folder = "" }: Trial<A>,
  read: (run: ExperimentRun, arm: A) => T,
): Promise<ArmResults<A, T>[]> {
  const wanted = seeds.flatMap((seed) =>
    arms.map((arm) => ({
      ...arm,
      arm,
      derived: { ...arm.derived, SEED: String(seed), WORLD: world },
    })),
  );
  const runs = planned(context, wanted).map(({ arm, env, derived }) => ({
    arm,
    env,
    name: `${fileName(arm.name)}-seed-${derived.SEED}`,
  }));
  const found = await runEach(runs, runnerParts(context, world, folder), ({ arm }, run) => read(run, arm));
  return arms.map((arm, place) => ({ arm, runs: found.filter((_, i) => i % arms.length === place) }));
}
