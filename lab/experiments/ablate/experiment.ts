/** `lab ablate`: every arm of the ablation with the same seeds, while the trigger lasts and after it has gone. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { AFTERWARDS, ARM_GROUPS, type Arm, type ArmGroup } from "./arms.ts";
import { comparisonOf, type ComparedPolicy } from "../../runs/comparison.ts";
import { runnerParts, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import { phase, successOf } from "../../runs/timeline.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach, type NamedEnv } from "../../runs/runner.ts";
import { estimate, type Estimate } from "../../runs/statistics.ts";

export interface AblatedArm extends Omit<ComparedPolicy, "policy"> {
  readonly name: string;
  readonly settings: Arm["settings"];
  /** Share of the requests that were answered well long after the trigger had gone, the load being the same. */
  readonly afterwards: Estimate;
}

export interface Ablation {
  readonly schema: 1;
  readonly seeds: readonly number[];
  readonly groups: readonly { readonly policy: string; readonly arms: readonly AblatedArm[] }[];
}

interface ArmRun extends NamedEnv {
  readonly arm: Arm;
  readonly kind: "during" | "afterwards";
}

function runsOf(context: ExperimentContext, { policy, arms }: ArmGroup, seeds: readonly number[]): ArmRun[] {
  const kinds = ["during", "afterwards"] as const;
  const wanted = arms.flatMap((arm) => seeds.flatMap((seed) => kinds.map((kind) => ({ arm, seed, kind }))));
  const overrides = wanted.map(({ arm, seed, kind }) => ({
    ...arm.settings,
    ...(kind === "afterwards" ? AFTERWARDS.settings : {}),
    POLICY: policy,
    SEED: String(seed),
    WORLD: "virtual",
  }));
  const envs = settingsForEach(context, overrides);
  return wanted.map(({ arm, seed, kind }, i) => ({
    arm,
    kind,
    name: `${arm.name}-seed-${seed}-${kind}`,
    env: envs[i] ?? {},
  }));
}

/** What a group's runs have left: summaries while the trigger lasted, and the recovery by arm and seed. */
class GroupResults {
  readonly summaries: RunSummary[] = [];
  private readonly recovered = new Map<string, number[]>();

  add({ arm, kind }: ArmRun, summary: RunSummary, recovery: number): void {
    if (kind === "during") {
      this.summaries.push({ ...summary, policy: arm.name });
      return;
    }
    this.recovered.set(arm.name, [...(this.recovered.get(arm.name) ?? []), recovery]);
  }

  armsOf({ arms }: ArmGroup): AblatedArm[] {
    const place = ({ policy }: RunSummary): number => arms.findIndex(({ name }) => name === policy);
    const { policies } = comparisonOf(this.summaries.toSorted((a, b) => place(a) - place(b)));
    return policies.map(({ policy: name, ...compared }, i) => ({
      name,
      settings: arms[i]?.settings ?? {},
      ...compared,
      // Sorted, since runs end in any order and the interval must not depend on it.
      afterwards: estimate(
        (this.recovered.get(name) ?? []).toSorted((a, b) => a - b),
        `${name}/afterwards`,
      ),
    }));
  }
}

/**
 * @param repeat seeds for each arm, 1 or more
 * @param groups what is ablated
 * @throws ConfigError when a setting behind the verb contradicts an arm's
 */
export async function ablate(
  context: ExperimentContext,
  repeat: number,
  groups: readonly ArmGroup[] = ARM_GROUPS,
): Promise<Ablation> {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const seeds = Array.from({ length: repeat }, (_, i) => first + i);
  const planned = groups.map((group) => ({
    group,
    runs: runsOf(context, group, seeds),
    results: new GroupResults(),
  }));
  const bar = progressBar(
    "runs",
    planned.reduce((sum, { runs }) => sum + runs.length, 0),
  );
  try {
    for (const { runs, results } of planned) {
      await runEach(runs, runnerParts(context, "virtual", ""), (run, { summary, timeline }) => {
        results.add(run, summary, successOf(phase(timeline, AFTERWARDS.fromS, AFTERWARDS.toS)));
        bar.step();
      });
    }
  } finally {
    bar.end();
  }
  const done = planned.map(({ group, results }) => ({ policy: group.policy, arms: results.armsOf(group) }));
  return { schema: 1, seeds, groups: done };
}
