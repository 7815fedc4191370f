/** `lab scale`: every budget, given in every way, with the same seeds. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { createPoolOf } from "../../runs/pool.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { SCALE_ARMS, FLEET, SCALE, SCALE_CASES, type ScaleArm, type ScaleCase } from "./cases.ts";
import { scaleCsv, scaleText, type ScaleResult } from "./text.ts";
import type { ScaleOrder } from "./worker.ts";
import type { ScaleRun } from "./experiment.ts";
import { estimate } from "../../runs/statistics.ts";
import { Stopped } from "../../runs/stopped.ts";

export interface ScaleCommand {
  /** Seeds for each budget and way to give it, 1 or more. */
  readonly repeat: number;
  readonly json: boolean;
}

/** @param runs of one budget given in one way, one for each seed, one or more */
export function scaleResultOf(scale: ScaleCase, arm: ScaleArm, runs: readonly ScaleRun[]): ScaleResult {
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
  const places = SCALE_CASES.flatMap((scale) => SCALE_ARMS.map((arm) => ({ scale, arm })));
  const pool = createPoolOf<ScaleOrder, ScaleRun>(threads, new URL("./worker.ts", import.meta.url));
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
        scaleResultOf(scale, arm, await Promise.all(seeds.map((seed) => one({ scale, arm, seed })))),
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
