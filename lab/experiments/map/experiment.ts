/**
 * `bin/lab map`: over the load and the length of a dip of the capacity, whether a chain is well again afterwards.
 *
 * The errors are none and the load stays, so nothing but the policy can keep the chain down. What is looked at begins 30 s
 * after the dip has ended, as in `bin/lab metastable`.
 */
import { rounded } from "../../../loadgen/core/format.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { verdictOn, type Recovery, type Window } from "../../runs/recovery.ts";
import { runArms, type Arm } from "../../runs/run-arms.ts";
import { ascending, estimate, type Estimate } from "../../runs/statistics.ts";
import { HEALTHY, usualOf } from "../../runs/triggers.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import type { DipAxes } from "./axes.ts";

/** Calls a second that the backend takes while the dip lasts. */
export const DIP_TO = 10;
export const PATIENCE_S = 30;
const BEGINS_S = 10;
/** After the patience, so that what is judged late is more than a moment. */
const LATE_S = 10;

export interface DipRequest extends DipAxes {
  readonly policies: readonly string[];
  readonly seeds: readonly number[];
}

export interface DipCell {
  readonly policy: string;
  readonly load: number;
  readonly lengthS: number;
  /** Share that succeeded from 30 s after the dip on, over the seeds; null where no request was due by then. */
  readonly late: Estimate | null;
  /** How many runs came to which verdict: unharmed, recovers, metastable, never-healthy, unmeasured. */
  readonly verdicts: Readonly<Partial<Record<Recovery["kind"], number>>>;
  readonly runs: number;
  readonly validRuns: number;
}

interface Place {
  readonly policy: string;
  readonly load: number;
  readonly lengthS: number;
}

/** Seconds are whole in a timeline, so a removal within one counts from its end. */
function windowOf(lengthS: number): Window {
  const removedS = Math.ceil(BEGINS_S + lengthS);
  return { triggeredS: BEGINS_S, removedS, patienceS: PATIENCE_S, endS: removedS + PATIENCE_S + LATE_S };
}

type DipArm = Arm & { readonly place: Place };

function armOf(place: Place, capacity: number): DipArm {
  const { policy, load, lengthS } = place;
  const ends = rounded(BEGINS_S + lengthS);
  return {
    place,
    name: `${policy}/${load}/${lengthS}`,
    scene: HEALTHY,
    derived: { POLICY: policy },
    settings: {
      SCENARIO: "capacity-dip",
      RATE: String(load),
      RATE_PROFILE: "",
      DURATION_S: String(windowOf(lengthS).endS),
      FAULT_TIMELINE: `at ${BEGINS_S}s capacity ${DIP_TO}; at ${ends}s capacity ${capacity}`,
    },
  };
}

/** The capacity outside the dip: the scenario's, or the user's own. @throws ConfigError where the dip is none */
function capacityOf(context: ExperimentContext): number {
  const { capacity } = usualOf(context);
  if (capacity > DIP_TO) return capacity;
  throw new ConfigError([`CAPACITY=${capacity}: the dip is one to ${DIP_TO} calls/s. A larger capacity is needed.`]);
}

interface Found {
  readonly late: number | null;
  readonly kind: Recovery["kind"];
  readonly valid: boolean;
}

function cellOf({ name, place }: DipArm, all: readonly Found[]): DipCell {
  const verdicts: Partial<Record<Recovery["kind"], number>> = {};
  for (const { kind } of all) verdicts[kind] = (verdicts[kind] ?? 0) + 1;
  return {
    ...place,
    late: estimate(ascending(all.map(({ late }) => late)), name),
    verdicts,
    runs: all.length,
    validRuns: all.filter(({ valid }) => valid).length,
  };
}

/** More than half of its runs were down for good. */
export const isDown = ({ verdicts, runs }: DipCell): boolean => (verdicts.metastable ?? 0) * 2 > runs;

/** One cell for each policy, load and length. Rejects with `Stopped` when the user stopped it. */
export async function dips(
  context: ExperimentContext,
  { policies, loads, lengths, seeds }: DipRequest,
): Promise<DipCell[]> {
  const capacity = capacityOf(context);
  const arms = policies.flatMap((policy) =>
    loads.flatMap((load) => lengths.map((lengthS) => armOf({ policy, load, lengthS }, capacity))),
  );
  const found = await runArms(context, { arms, seeds }, ({ timeline, summary }, { place }): Found => {
    const { recovery, success } = verdictOn(timeline, windowOf(place.lengthS));
    return { late: success.late, kind: recovery.kind, valid: summary.valid };
  });
  return found.map(({ arm, runs }) => cellOf(arm, runs));
}
