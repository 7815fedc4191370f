/** `lab scale`: every budget, given in every way, with the same seeds. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { experimentFolder, saveJson, type ExperimentContext } from "./context.ts";
import { createPoolOf } from "./pool.ts";
import { progressBar } from "./progress-bar.ts";
import { ARMS, FLEET, SCALE, SCALE_CASES, type Arm, type ScaleCase } from "./scale-cases.ts";
import { scaleCsv, scaleText, type ScaleResult } from "./scale-text.ts";
import type { ScaleOrder } from "./scale-worker.ts";
import type { ScaleRun } from "./scale.ts";
import { estimate } from "./statistics.ts";
import { Stopped } from "./stopped.ts";

export interface ScaleCommand {
  /** Seeds for each budget and way to give it, 1 or more. */
  readonly repeat: number;
  readonly json: boolean;
}

/** @param runs of one budget given in one way, one for each seed, one or more */
export function resultOf(scale: ScaleCase, arm: Arm, runs: readonly ScaleRun[]): ScaleResult {
  const of = (name: keyof ScaleRun) =>
    estimate(
      runs.map((run) => run[name]),
      `${scale.name}/${arm}/${name}`,
    );
  return {
    scale: scale.name,
    arm,
    metrics: {
      success: of("success"),
      worst: of("worst"),
      retries: of("retries"),
      idle: of("idle"),
      late: of("late"),
    },
  };
}

/** All results, in the order of the cases. Rejects with `Stopped` when the user stopped it. */
async function resultsOf(
  { interrupt, threads }: ExperimentContext,
  seeds: readonly number[],
): Promise<ScaleResult[]> {
  if (interrupt.stop.aborted) throw new Stopped();
  const places = SCALE_CASES.flatMap((scale) => ARMS.map((arm) => ({ scale, arm })));
  const pool = createPoolOf<ScaleOrder, ScaleRun>(threads, "scale-worker");
  const close = (): void => void pool.close();
  interrupt.stop.addEventListener("abort", close, { once: true });
  const bar = progressBar("runs", places.length * seeds.length);
  const one = async (order: ScaleOrder): Promise<ScaleRun> => {
    const run = await pool.run(order);
    bar.step();
    return run;
  };
  try {
    return await Promise.all(
      places.map(async ({ scale, arm }) =>
        resultOf(scale, arm, await Promise.all(seeds.map((seed) => one({ scale, arm, seed })))),
      ),
    );
  } finally {
    bar.end();
    interrupt.stop.removeEventListener("abort", close);
    await pool.close();
  }
}

/** Runs, prints and saves. Always 0: there is nothing about it that could fail. */
export async function scaleCommand(
  context: ExperimentContext,
  { repeat, json }: ScaleCommand,
): Promise<number> {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const seeds = Array.from({ length: repeat }, (_, i) => first + i);
  const results = await resultsOf(context, seeds);
  const folder = experimentFolder(context, `scale-${context.stamp}`);
  const scenario = { ...FLEET, ...SCALE, cases: SCALE_CASES };
  const file = saveJson(folder, "scale.json", { schema: 1, seeds, scenario, results });
  writeFileSync(join(folder, "scale.csv"), scaleCsv(results));
  context.print(
    json
      ? JSON.stringify(results, null, 2)
      : `${scaleText(results)}\nSaved: ${file}, and scale.csv beside it.`,
  );
  return 0;
}
