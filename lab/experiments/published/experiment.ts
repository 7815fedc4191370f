/**
 * `bin/lab published`: the published lab's two runs on its own model of a backend, and what each fault of its repaired wiring
 * cost, switched off alone.
 */
import { compareArms, type Comparison } from "../../runs/comparison.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { seedsFrom, type Arm } from "../../runs/run-arms.ts";
import type { ExperimentWorld } from "../../runs/runner.ts";

interface Wiring extends Arm {
  readonly policy: string;
  /** What was published. */
  readonly figures: string;
}

const DEADLINE_EVERYWHERE = { EDGE_PASS_DEADLINE: "1" };
const BUCKET_EMPTY = { BUDGET_START: "0" };
const FOLLOWS = { API_FOLLOW_CALLER: "1" };

export const WIRINGS: readonly Wiring[] = [
  {
    name: "naive",
    policy: "published-naive",
    settings: {},
    figures: "22.8 % (10 to 32), 7.30x (6.7 to 8.3), 1.88 s",
  },
  {
    name: "fixed",
    policy: "published-fixed",
    settings: {},
    figures: "76.8 % (74 to 83), 1.58x, 10 ms, 1.10 s",
  },
  {
    name: "fixed, deadline at every hop",
    policy: "published-fixed",
    settings: DEADLINE_EVERYWHERE,
    figures: "",
  },
  { name: "fixed, buckets start empty", policy: "published-fixed", settings: BUCKET_EMPTY, figures: "" },
  { name: "fixed, api stops with the edge", policy: "published-fixed", settings: FOLLOWS, figures: "" },
  {
    name: "fixed, none of the three faults",
    policy: "published-fixed",
    settings: { ...DEADLINE_EVERYWHERE, ...BUCKET_EMPTY, ...FOLLOWS },
    figures: "",
  },
];

/** The wirings beside each other, in the order of `WIRINGS`. @param folder for the reports of runs over HTTP */
export function published(
  context: ExperimentContext,
  repeat: number,
  world: ExperimentWorld,
  folder: string,
): Promise<Comparison> {
  const arms = WIRINGS.map(({ name, policy, settings }) => ({
    name,
    settings: { ...settings, POLICY: policy },
  }));
  return compareArms(context, { arms, seeds: seedsFrom(context, repeat), world, folder });
}
