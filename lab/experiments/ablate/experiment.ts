/** `bin/lab ablate`: every arm of the ablation with the same seeds, while the trigger lasts and after it has gone. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { comparisonOf, type ComparedPolicy } from "../../runs/comparison.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { runArms, seedsFrom, type Arm, type ArmResults } from "../../runs/run-arms.ts";
import { ascending, estimate, type Estimate } from "../../runs/statistics.ts";
import { phase, successOf } from "../../runs/timeline.ts";
import { AFTERWARDS, ARM_GROUPS, type ArmGroup } from "./arms.ts";

export interface AblatedArm extends Omit<ComparedPolicy, "policy"> {
  readonly name: string;
  readonly settings: Arm["settings"];
  /** Share of the requests that were answered well long after the trigger had gone, the load being the same; null where none was due. */
  readonly afterwards: Estimate | null;
}

export interface Ablation {
  readonly schema: 1;
  readonly seeds: readonly number[];
  readonly groups: readonly { readonly policy: string; readonly arms: readonly AblatedArm[] }[];
}

type GroupArm = Arm & Pick<ArmGroup, "policy">;

/** Each arm twice: all of them with a trigger that lasts, then all of them with one that ends. */
const twice = ({ policy, arms }: ArmGroup): GroupArm[] =>
  [
    { trigger: {}, when: "" },
    { trigger: AFTERWARDS.settings, when: ", succeeded later" },
  ].flatMap(({ trigger, when }) =>
    arms.map(({ name, settings }) => ({
      name: `${name}${when}`,
      policy,
      settings: { ...settings, ...trigger },
      derived: { POLICY: policy },
    })),
  );

interface Seen {
  readonly summary: RunSummary;
  readonly late: number | null;
}

/** @param found of this group, as `twice` has them */
function ablatedArms({ arms }: ArmGroup, found: readonly ArmResults<GroupArm, Seen>[]): AblatedArm[] {
  const during = found.slice(0, arms.length).flatMap(({ runs }) => runs.map(({ summary }) => summary));
  return comparisonOf(during).policies.map(({ policy: name, ...compared }, i) => {
    const late = found[arms.length + i]?.runs.map((run) => run.late) ?? [];
    const afterwards = estimate(ascending(late), `${name}/afterwards`);
    return { name, settings: arms[i]?.settings ?? {}, ...compared, afterwards };
  });
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
  const seeds = seedsFrom(context, repeat);
  const arms = groups.flatMap(twice);
  const found = await runArms(context, { arms, seeds }, ({ summary, timeline }, { name }): Seen => ({
    summary: { ...summary, policy: name },
    late: successOf(phase(timeline, AFTERWARDS.fromS, AFTERWARDS.toS)),
  }));
  const ablated = groups.map((group) => ({
    policy: group.policy,
    arms: ablatedArms(
      group,
      found.filter(({ arm }) => arm.policy === group.policy),
    ),
  }));
  return { schema: 1, seeds, groups: ablated };
}
