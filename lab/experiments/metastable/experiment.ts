/**
 * `bin/lab metastable`: each trigger under each policy, and where the chain stays down, what gets it up again.
 *
 *     1  the trigger comes, goes, and the load stays: the verdict (lab/runs/recovery.ts)
 *     2  metastable ones: from the removal + patience on, the load is cut to a share, to a larger one each time until the
 *        chain does not recover within five minutes any more; the last at which it did is the load at which it recovers
 *     3  the load is cut to that share until all is well, put back, and the trigger comes once more
 *
 * Over HTTP only the first step is made: the others are minutes long.
 */
import type { ExperimentContext } from "../../runs/context.ts";
import { healthyAfter, verdictOn, type TriggerVerdict, type Window } from "../../runs/recovery.ts";
import { runArms, seedsFrom, type Arm } from "../../runs/run-arms.ts";
import type { ExperimentWorld } from "../../runs/runner.ts";
import type { Second } from "../../runs/timeline.ts";
import { sceneOf, settingsOf, usualOf, type Trigger, type TriggerPlan } from "../../runs/triggers.ts";

/** Before the trigger. */
const BEGINS_S = 10;
const PATIENCE_S = 30;
/** After the patience, so that what is judged late is more than a moment. */
const LATE_S = 10;
/** How long a cut of the load may take to help. */
const CUT_S = 300;
/** Shares of the load to cut it to. The smallest first: the time that a run takes grows with its load. */
const CUTS = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 0.9];

export interface MetastableRequest {
  readonly policies: readonly string[];
  readonly triggers: readonly Trigger[];
  readonly world: ExperimentWorld;
}

export interface MetastableResult {
  readonly trigger: string;
  readonly policy: string;
  readonly world: ExperimentWorld;
  readonly valid: boolean;
  readonly verdict: TriggerVerdict;
  /** Client requests a second down to which the load must be cut; null where it recovers, or where that was not tried. */
  readonly recoversAtRps: number | null;
  /** What the trigger does when it comes again after that cut; null likewise. */
  readonly replay: TriggerVerdict | null;
}

interface Case {
  readonly trigger: Trigger;
  readonly policy: string;
}

function armOf(context: ExperimentContext, { trigger, policy }: Case, plan: Omit<TriggerPlan, "trigger">): Arm {
  return {
    name: `${trigger.name}-${policy}`,
    scene: sceneOf(trigger),
    settings: settingsOf({ trigger, ...plan }, usualOf(context, trigger)),
    derived: { POLICY: policy },
  };
}

interface Seen {
  readonly timeline: readonly Second[];
  readonly valid: boolean;
}

/** What is seen of each arm with the user's seed. */
async function seenOf(
  context: ExperimentContext,
  arms: readonly Arm[],
  world: ExperimentWorld = "virtual",
  folder = "",
): Promise<Seen[]> {
  const trial = { arms, seeds: seedsFrom(context, 1), world, folder };
  const found = await runArms(context, trial, ({ timeline, summary: { valid } }) => ({ timeline, valid }));
  return found.flatMap(({ runs }) => runs);
}

function windowAt({ lastsS }: Trigger, triggeredS: number): Window {
  const removedS = triggeredS + lastsS;
  return { triggeredS, removedS, patienceS: PATIENCE_S, endS: removedS + PATIENCE_S + LATE_S };
}

const cutAt = (trigger: Trigger): number => windowAt(trigger, BEGINS_S).removedS + PATIENCE_S;

/** Step 2. @returns for each case the share of the load up to which it recovers; none where no share was small enough */
async function sharesThatRecover(context: ExperimentContext, cases: readonly Case[]): Promise<Map<Case, number>> {
  const shares = new Map<Case, number>();
  let rising = cases;
  for (const factor of CUTS) {
    if (rising.length === 0) break;
    const arms = rising.map((of) => {
      const cutS = cutAt(of.trigger);
      return armOf(context, of, { beginsS: [BEGINS_S], endS: cutS + CUT_S, changes: [{ atS: cutS, factor }] });
    });
    const seen = await seenOf(context, arms);
    rising = rising.filter(({ trigger }, i) => {
      const cutS = cutAt(trigger);
      return healthyAfter(seen[i]?.timeline ?? [], cutS, cutS + CUT_S) < CUT_S;
    });
    for (const of of rising) shares.set(of, factor);
  }
  return shares;
}

/** Step 3, for each case with its share. The queue may be long: the cut lasts its full time. */
async function replaysAfter(context: ExperimentContext, shares: Map<Case, number>): Promise<TriggerVerdict[]> {
  const backAt = ({ trigger }: Case): number => cutAt(trigger) + CUT_S;
  const arms = [...shares].map(([of, factor]) => {
    const againS = backAt(of) + BEGINS_S;
    const changes = [
      { atS: cutAt(of.trigger), factor },
      { atS: backAt(of), factor: 1 },
    ];
    const { endS } = windowAt(of.trigger, againS);
    return armOf(context, of, { beginsS: [BEGINS_S, againS], endS, changes });
  });
  const seen = arms.length === 0 ? [] : await seenOf(context, arms);
  return [...shares.keys()].map((of, i) => {
    const shifted = (seen[i]?.timeline ?? [])
      .filter(({ atS }) => atS >= backAt(of))
      .map((second) => ({ ...second, atS: second.atS - backAt(of) }));
    return verdictOn(shifted, windowAt(of.trigger, BEGINS_S));
  });
}

type WayOut = Pick<MetastableResult, "recoversAtRps" | "replay">;
const NONE: WayOut = { recoversAtRps: null, replay: null };

/** Of each case that has one. All cases share a step, hence all cores. */
async function waysOut(context: ExperimentContext, cases: readonly Case[]): Promise<Map<Case, WayOut>> {
  const shares = await sharesThatRecover(context, cases);
  const replays = await replaysAfter(context, shares);
  const { rate } = usualOf(context);
  return new Map(
    [...shares].map(([of, share], i) => [of, { recoversAtRps: rate * share, replay: replays[i] ?? null }]),
  );
}

/** One result for each trigger and policy. @param folder for the reports of runs over HTTP */
export async function metastable(
  context: ExperimentContext,
  { policies, triggers, world }: MetastableRequest,
  folder: string,
): Promise<MetastableResult[]> {
  const cases = triggers.flatMap((trigger) => [...new Set(policies)].map((policy): Case => ({ trigger, policy })));
  const arms = cases.map((of) => {
    const { endS } = windowAt(of.trigger, BEGINS_S);
    return armOf(context, of, { beginsS: [BEGINS_S], endS });
  });
  const seen = await seenOf(context, arms, world, folder);
  const judged = cases.map((of, i) => {
    const { timeline = [], valid = false } = seen[i] ?? {};
    return { of, valid, verdict: verdictOn(timeline, windowAt(of.trigger, BEGINS_S)) };
  });
  const down = judged.filter(({ verdict }) => verdict.recovery.kind === "metastable" && world === "virtual");
  const ways = await waysOut(
    context,
    down.map(({ of }) => of),
  );
  return judged.map(({ of, valid, verdict }) => ({
    trigger: of.trigger.name,
    policy: of.policy,
    world,
    valid,
    verdict,
    ...(ways.get(of) ?? NONE),
  }));
}
