/** `lab hedge`: every arm of every scene with the same seeds, in virtual time. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { HEDGE_EVENTS } from "../../../services/policy/hedge/hedge.ts";
import { runnerParts, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import { CALM, HEDGE_SCENES, type HedgeScene } from "./arms.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach } from "../../runs/runner.ts";
import { estimate, type Estimate } from "../../runs/statistics.ts";

/** What is read of each run. Copies are those of all tiers; only the one above the backend sends any. */
const MEASURES = {
  p50: (run: RunSummary) => run.latencyMs.p50,
  p99: (run: RunSummary) => run.latencyMs.p99,
  p999: (run: RunSummary) => run.latencyMs.p999,
  /** Backend calls for each request. */
  calls: (run: RunSummary) => run.amplification,
  success: (run: RunSummary) => run.successRate,
  ...(Object.fromEntries(
    HEDGE_EVENTS.map((event) => [
      event,
      (run: RunSummary) =>
        Object.values(run.tiers).reduce((sum, { hedged }) => sum + (hedged?.[event] ?? 0), 0),
    ]),
  ) as Record<(typeof HEDGE_EVENTS)[number], (run: RunSummary) => number>),
};

type Measure = keyof typeof MEASURES;

export interface HedgedArm {
  readonly scene: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly validRuns: number;
  readonly measured: Readonly<Record<Measure, Estimate>>;
}

export interface HedgeResult {
  readonly schema: 1;
  readonly seeds: readonly number[];
  readonly arms: readonly HedgedArm[];
}

function armOf(
  scene: string,
  name: string,
  settings: HedgedArm["settings"],
  runs: readonly RunSummary[],
): HedgedArm {
  const entries = Object.entries(MEASURES).map(([measure, of]) => [
    measure,
    // Sorted, since runs end in any order and the interval must not depend on it.
    estimate(
      runs.map(of).toSorted((a, b) => a - b),
      `${scene}/${name}/${measure}`,
    ),
  ]);
  const validRuns = runs.filter(({ valid }) => valid).length;
  return { scene, name, settings, validRuns, measured: Object.fromEntries(entries) as HedgedArm["measured"] };
}

/**
 * @param seeds one or more
 * @param scenes what is compared
 * @throws ConfigError when a setting behind the verb contradicts an arm's
 */
export async function hedge(
  context: ExperimentContext,
  seeds: readonly number[],
  scenes: readonly HedgeScene[] = HEDGE_SCENES,
): Promise<HedgeResult> {
  const arms = scenes.flatMap((scene) =>
    scene.arms.map(({ name, settings }) => ({
      scene: scene.name,
      name,
      settings: { ...scene.settings, ...settings },
    })),
  );
  const wanted = arms.flatMap((arm) => seeds.map((seed) => ({ arm, seed })));
  const overrides = wanted.map(({ arm, seed }) => ({ ...CALM, ...arm.settings, SEED: String(seed) }));
  const envs = settingsForEach(context, overrides);
  const runs = wanted.map(({ arm, seed }, i) => ({
    arm,
    name: `${arm.name}-seed-${seed}`,
    env: envs[i] ?? {},
  }));
  const found = new Map(arms.map((arm): [(typeof arms)[number], RunSummary[]] => [arm, []]));
  const bar = progressBar("runs", runs.length);
  try {
    await runEach(runs, runnerParts(context, "virtual", ""), ({ arm }, { summary }) => {
      found.get(arm)?.push(summary);
      bar.step();
    });
  } finally {
    bar.end();
  }
  return {
    schema: 1,
    seeds,
    arms: arms.map((arm) => armOf(arm.scene, arm.name, arm.settings, found.get(arm) ?? [])),
  };
}
