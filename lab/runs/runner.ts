/** Makes the many runs of an experiment, in virtual time on all cores or over HTTP one by one. */
import { join } from "node:path";
import { createPool, type RunEnv } from "./pool.ts";
import { runInProcessWorld, type Surroundings } from "./process-runs.ts";
import { Stopped } from "./stopped.ts";
import type { ExperimentRun } from "./virtual-run.ts";

/** Where experiments can run; Compose is for single runs. */
export const EXPERIMENT_WORLDS = ["virtual", "process"] as const;
export type ExperimentWorld = (typeof EXPERIMENT_WORLDS)[number];

export interface RunnerParts extends Surroundings {
  readonly world: ExperimentWorld;
  readonly threads: number;
  /** Runs over HTTP leave their report folders in here. */
  readonly folder: string;
}

/** What a run is called while it has no result: a folder's name. */
export interface NamedEnv {
  readonly name: string;
  readonly env: RunEnv;
}

/**
 * Makes each run of `runs` and hands its result to `onRun` as soon as it is there.
 * Rejects with `Stopped` when the user stopped it, and with the first failure; nothing runs on after that.
 */
export async function runEach<T extends NamedEnv>(
  runs: readonly T[],
  parts: RunnerParts,
  onRun: (run: T, result: ExperimentRun) => void,
): Promise<void> {
  if (parts.stop.aborted) throw new Stopped();
  if (parts.world === "process") {
    for (const run of runs) onRun(run, await runInProcessWorld(run.env, join(parts.folder, run.name), parts));
    return;
  }
  const pool = createPool(Math.min(parts.threads, runs.length));
  const close = (): void => void pool.close();
  parts.stop.addEventListener("abort", close, { once: true });
  try {
    await Promise.all(runs.map(async (run) => onRun(run, await pool.run(run.env))));
  } finally {
    parts.stop.removeEventListener("abort", close);
    await pool.close();
  }
}
