/**
 * `lab map`: over the load and the length of a dip of the capacity, whether a chain is well again afterwards.
 *
 * The errors are none and the load stays, so nothing but the policy can keep the chain down. What is looked at begins 30 s
 * after the dip has ended, as in `lab metastable`.
 */
import { runnerParts, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import type { Second } from "../../runs/timeline.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach, type NamedEnv } from "../../runs/runner.ts";
import { estimate, type Estimate } from "../../runs/statistics.ts";
import { HEALTHY } from "../../runs/triggers.ts";
import { verdictOn, type Recovery, type Window } from "../../runs/recovery.ts";
import { rounded } from "../../../loadgen/core/format.ts";

/** Calls a second that the backend takes while the dip lasts. */
export const DIP_TO = 10;
export const PATIENCE_S = 30;
const BEGINS_S = 10;
/** After the patience, so that what is judged late is more than a moment. */
const LATE_S = 10;

export interface TippingRequest {
  readonly policies: readonly string[];
  /** Client requests a second; ascending. */
  readonly loads: readonly number[];
  /** Seconds; ascending, each more than 0. */
  readonly lengths: readonly number[];
  readonly seeds: readonly number[];
}

export interface TippingCell {
  readonly policy: string;
  readonly load: number;
  readonly lengthS: number;
  /** Share that succeeded from 30 s after the dip on, over the seeds. */
  readonly late: Estimate;
  /** Runs of which was said what: unharmed, recovers, metastable, never-healthy. */
  readonly verdicts: Readonly<Partial<Record<Recovery["kind"], number>>>;
  readonly runs: number;
  readonly validRuns: number;
}

interface CellRun extends NamedEnv {
  readonly cell: string;
  readonly window: Window;
}

interface Place {
  readonly policy: string;
  readonly load: number;
  readonly lengthS: number;
}

/** Seconds are whole in a course, so a removal within one counts from its end. */
function windowOf(lengthS: number): Window {
  const removedS = Math.ceil(BEGINS_S + lengthS);
  return { triggeredS: BEGINS_S, removedS, patienceS: PATIENCE_S, endS: removedS + PATIENCE_S + LATE_S };
}

function settingsOf(
  { policy, load, lengthS }: Place,
  capacity: string,
  seed: number,
): Record<string, string> {
  const ends = rounded(BEGINS_S + lengthS);
  return {
    ...HEALTHY,
    POLICY: policy,
    SCENARIO: "capacity-dip",
    WORLD: "virtual",
    SEED: String(seed),
    RATE: String(load),
    CAPACITY: capacity,
    DURATION_S: String(windowOf(lengthS).endS),
    FAULT_TIMELINE: `at ${BEGINS_S}s capacity ${DIP_TO}; at ${ends}s capacity ${capacity}`,
  };
}

const keyOf = ({ policy, load, lengthS }: Place): string => `${policy}/${load}/${lengthS}`;

export function placesOf({ policies, loads, lengths }: TippingRequest): Place[] {
  return policies.flatMap((policy) =>
    loads.flatMap((load) => lengths.map((lengthS) => ({ policy, load, lengthS }))),
  );
}

/** The capacity outside the dip: the scenario's, or the user's own. */
export function capacityOf({ settingsFor, typed = [] }: ExperimentContext): string {
  const own = typed.includes("CAPACITY") ? settingsFor({})["CAPACITY"] : undefined;
  return own ?? HEALTHY["CAPACITY"] ?? "90";
}

function runsOf(context: ExperimentContext, request: TippingRequest): CellRun[] {
  const capacity = capacityOf(context);
  const wanted = placesOf(request).flatMap((place) => request.seeds.map((seed) => ({ place, seed })));
  const envs = settingsForEach(
    context,
    wanted.map(({ place, seed }) => settingsOf(place, capacity, seed)),
  );
  return wanted.map(({ place, seed }, i) => ({
    cell: keyOf(place),
    name: `${keyOf(place)}/${seed}`,
    window: windowOf(place.lengthS),
    env: envs[i] ?? {},
  }));
}

interface Found {
  readonly late: number;
  readonly kind: Recovery["kind"];
  readonly valid: boolean;
}

function found({ window }: CellRun, course: readonly Second[], valid: boolean): Found {
  const { recovery, success } = verdictOn(course, window);
  return { late: success.late, kind: recovery.kind, valid };
}

function cellOf(place: Place, all: readonly Found[]): TippingCell {
  const verdicts: Partial<Record<Recovery["kind"], number>> = {};
  for (const { kind } of all) verdicts[kind] = (verdicts[kind] ?? 0) + 1;
  // Sorted, since runs end in any order and the interval must not depend on it.
  const shares = all.map(({ late }) => late).toSorted((a, b) => a - b);
  return {
    ...place,
    late: estimate(shares, keyOf(place)),
    verdicts,
    runs: all.length,
    validRuns: all.filter(({ valid }) => valid).length,
  };
}

/** One cell for each policy, load and length. Rejects with `Stopped` when the user stopped it. */
export async function tipping(context: ExperimentContext, request: TippingRequest): Promise<TippingCell[]> {
  const runs = runsOf(context, request);
  const results = new Map<string, Found[]>();
  const bar = progressBar("runs", runs.length);
  try {
    await runEach(runs, runnerParts(context, "virtual", ""), (run, { timeline, summary }) => {
      results.set(run.cell, [...(results.get(run.cell) ?? []), found(run, timeline, summary.valid)]);
      bar.step();
    });
  } finally {
    bar.end();
  }
  return placesOf(request).map((place) => cellOf(place, results.get(keyOf(place)) ?? []));
}
