/** `bin/lab scale`: every budget, given in every way, with the same seeds. */
import type { ExperimentContext } from "../../runs/context.ts";
import { runOnThreads } from "../../runs/runner.ts";
import { estimates, type Estimate } from "../../runs/statistics.ts";
import { SCALE_ARMS, SCALE_CASES, type ScaleArm, type ScaleCase } from "./cases.ts";
import type { ScaleRun } from "./incident.ts";
import type { ScaleOrder } from "./worker.ts";

export interface ScaleResult {
  readonly scale: string;
  readonly arm: ScaleArm;
  readonly metrics: Readonly<Record<keyof ScaleRun, Estimate | null>>;
}

const METRICS: readonly (keyof ScaleRun)[] = ["success", "worst", "retries", "idle", "late"];

/** @param runs of one budget given in one way, one for each seed, one or more */
export function scaleResultOf(scale: ScaleCase, arm: ScaleArm, runs: readonly ScaleRun[]): ScaleResult {
  const of = (name: keyof ScaleRun): (number | null)[] => runs.map((run) => run[name]);
  return { scale: scale.name, arm, metrics: estimates(METRICS, of, `${scale.name}/${arm}`) };
}

/** All results, in the order of the cases. Rejects with `Stopped` when the user stopped it. */
export async function scaleUp(
  { interrupt: { stop }, threads }: ExperimentContext,
  seeds: readonly number[],
): Promise<ScaleResult[]> {
  const places = SCALE_CASES.flatMap((scale) => SCALE_ARMS.map((arm) => ({ scale, arm })));
  const orders = places.flatMap((place) => seeds.map((seed): ScaleOrder => ({ ...place, seed })));
  const worker = new URL("./worker.ts", import.meta.url);
  const runs = await runOnThreads(orders, { worker, threads, stop }, (run: ScaleRun) => run);
  return places.map(({ scale, arm }, i) =>
    scaleResultOf(scale, arm, runs.slice(i * seeds.length, (i + 1) * seeds.length)),
  );
}
