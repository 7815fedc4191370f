/** `bin/lab hedge`: every arm of every scene with the same seeds, in virtual time. */
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { HEDGE_EVENTS } from "../../../services/policy/hedge/hedge.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { CALM, HEDGE_SCENES, type HedgeScene } from "./arms.ts";
import { valueIn } from "../../runs/planned.ts";
import { runArms, type Arm } from "../../runs/run-arms.ts";
import { ascending, estimates, type Estimate } from "../../runs/statistics.ts";

/** What is read of each run. Copies are those of all tiers; only the one above the backend sends any. */
const MEASURES = {
  p50: (run: RunSummary) => run.latencyMs.p50,
  p99: (run: RunSummary) => run.latencyMs.p99,
  p999: (run: RunSummary) => run.latencyMs.p999,
  /** Backend calls for each request. */
  calls: (run: RunSummary) => run.amplification,
  /** Calls that the backend served, for each request: what the copies cost it. */
  served: ({ backend, clientRequests }: RunSummary) => ratioOf(backend.ok + backend.failed, clientRequests),
  success: (run: RunSummary) => run.successRate,
  ...(Object.fromEntries(
    HEDGE_EVENTS.map((event) => [
      event,
      (run: RunSummary) => Object.values(run.tiers).reduce((sum, { hedged }) => sum + (hedged?.[event] ?? 0), 0),
    ]),
  ) as Record<(typeof HEDGE_EVENTS)[number], (run: RunSummary) => number>),
};

type Measure = keyof typeof MEASURES;

export interface HedgedArm {
  readonly scene: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly validRuns: number;
  readonly measured: Readonly<Record<Measure, Estimate | null>>;
}

export interface HedgeResult {
  readonly schema: 1;
  readonly seeds: readonly number[];
  /** What holds in every scene. */
  readonly around: { readonly durationS: number; readonly replicas: number; readonly attempts: number };
  readonly arms: readonly HedgedArm[];
}

type SceneArm = Arm & { readonly of: string };

const armsOf = ({ name: scene, settings, arms }: HedgeScene): SceneArm[] =>
  arms.map((arm) => ({ of: scene, name: arm.name, scene: CALM, settings: { ...settings, ...arm.settings } }));

function hedgedArm({ of: scene, name, settings }: SceneArm, runs: readonly RunSummary[]): HedgedArm {
  const measures = Object.keys(MEASURES) as Measure[];
  return {
    scene,
    name,
    settings,
    validRuns: runs.filter(({ valid }) => valid).length,
    measured: estimates(measures, (measure) => ascending(runs.map(MEASURES[measure])), `${scene}/${name}`),
  };
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
  const arms = scenes.flatMap(armsOf);
  const named = arms.map((arm) => ({ ...arm, name: `${arm.of}: ${arm.name}` }));
  const found = await runArms(context, { arms: named, seeds }, ({ summary }) => summary);
  const [durationS, replicas, attempts] = ["DURATION_S", "REPLICAS", "MAX_ATTEMPTS"].map((name) =>
    Number(valueIn(context, CALM, name)),
  ) as [number, number, number];
  return {
    schema: 1,
    seeds,
    around: { durationS, replicas, attempts },
    arms: arms.map((arm, i) => hedgedArm(arm, found[i]?.runs ?? [])),
  };
}
