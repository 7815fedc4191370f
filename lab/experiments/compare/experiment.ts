/** `bin/lab compare`: each policy with each seed. */
import { compareArms, type Comparison } from "../../runs/comparison.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { seedsFrom, type Arm } from "../../runs/run-arms.ts";
import type { ExperimentWorld } from "../../runs/runner.ts";

export interface CompareRequest {
  readonly policies: readonly string[];
  /** Seeds for each policy, 1 or more. */
  readonly repeat: number;
  readonly world: ExperimentWorld;
}

/** @param folder for the reports of runs over HTTP */
export function compare(
  context: ExperimentContext,
  { policies, repeat, world }: CompareRequest,
  folder: string,
): Promise<Comparison> {
  const arms = [...new Set(policies)].map((name): Arm => ({ name, settings: {}, derived: { POLICY: name } }));
  return compareArms(context, { arms, seeds: seedsFrom(context, repeat), world, folder });
}
