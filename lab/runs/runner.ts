/** Makes the many runs of an experiment, in virtual time on all cores or over HTTP one by one. */
import { join } from "node:path";
import { createPool, type RunEnv } from "./pool.ts";
import { runInProcessWorld, type Surroundings } from "./process-run.ts";
import { progressBar } from "./progress-bar.ts";
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

/** What the progress bar counts, and how many of those are there already. */
export interface BarOptions {
  readonly what?: string;
  readonly done?: number;
}

async function withBar<R>(
  total: number,
  { what = "runs", done = 0 }: BarOptions,
  work: (step: () => void) => Promise<R>,
): Promise<R> {
  const bar = progressBar(what, done + total, done);
  try {
    return await work(() => bar.step());
  } finally {
    bar.end();
  }
}

export interface Threads {
  /** The file that each of them runs. */
  readonly worker: URL;
  readonly threads: number;
  readonly stop: AbortSignal;
}

/**
 * Has each order carried out by one of several threads, and gives what `read` takes of each answer, in the orders' order.
 * Rejects with `Stopped` when the user stopped it, and with the first failure; nothing runs on after that.
 */
export async function runOnThreads<Order, Run, R>(
  orders: readonly Order[],
  { worker, threads, stop }: Threads,
  read: (run: Run, place: number) => R,
  progress: BarOptions = {},
): Promise<R[]> {
  if (stop.aborted) throw new Stopped();
  const pool = createPool<Order, Run>(Math.min(threads, orders.length), worker);
  const close = (): void => void pool.close();
  stop.addEventListener("abort", close, { once: true });
  const all = (step: () => void): Promise<R[]> =>
    Promise.all(
      orders.map(async (order, place) => {
        const answer = read(await pool.run(order), place);
        step();
        return answer;
      }),
    );
  try {
    return await withBar(orders.length, progress, all);
  } finally {
    stop.removeEventListener("abort", close);
    await pool.close();
  }
}

async function runOverHttp<T extends NamedEnv, R>(
  runs: readonly T[],
  parts: RunnerParts,
  read: (run: T, result: ExperimentRun) => R,
  step: () => void,
): Promise<R[]> {
  const found: R[] = [];
  for (const run of runs) {
    found.push(read(run, await runInProcessWorld(run.env, join(parts.folder, run.name), parts)));
    step();
  }
  return found;
}

const VIRTUAL = new URL("./pool-worker.ts", import.meta.url);

/**
 * Makes each run of `runs` and gives what `read` takes of each as soon as it is there, in the order of `runs`.
 * Rejects with `Stopped` when the user stopped it, and with the first failure; nothing runs on after that.
 */
export async function runEach<T extends NamedEnv, R>(
  runs: readonly T[],
  parts: RunnerParts,
  read: (run: T, result: ExperimentRun) => R,
  progress: BarOptions = {},
): Promise<R[]> {
  if (parts.stop.aborted) throw new Stopped();
  if (parts.world === "process") return withBar(runs.length, progress, (step) => runOverHttp(runs, parts, read, step));
  const onRun = (result: ExperimentRun, place: number): R => read(runs[place] as T, result);
  return runOnThreads(
    runs.map(({ env }) => env),
    { ...parts, worker: VIRTUAL },
    onRun,
    progress,
  );
}
