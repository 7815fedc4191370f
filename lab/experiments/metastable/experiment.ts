/**
 * `lab metastable`: each trigger under each policy, and where the chain stays down, what gets it up again.
 *
 *     1  the trigger comes, goes, and the load stays: the verdict (lab/runs/recovery.ts)
 *     2  metastable ones: from the removal + patience on, the load is cut to a share; the largest share at which the
 *        chain recovers within five minutes is the load at which it recovers by itself
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
/** Shares of the load to cut it to, the largest first. */
const CUTS = [0.9, 0.75, 0.5, 0.3, 0.2, 0.15, 0.1, 0.05];

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

/** Step 2. @returns the largest share of the load at which `of` recovers; undefined where none was small enough */
async function shareThatRecovers(context: ExperimentContext, of: Case): Promise<number | undefined> {
  const cutS = cutAt(of.trigger);
  const endS = cutS + CUT_S;
  const arms = CUTS.map((factor) =>
    armOf(context, of, { beginsS: [BEGINS_S], endS, changes: [{ atS: cutS, factor }] }),
  );
  const seen = await seenOf(context, arms);
  return CUTS.find((_, i) => healthyAfter(seen[i]?.timeline ?? [], cutS, endS) < CUT_S);
}

/** Step 3. The queue may be long: the cut lasts its full time. */
async function replayAfter(context: ExperimentContext, of: Case, factor: number): Promise<TriggerVerdict> {
  const cutS = cutAt(of.trigger);
  const backS = cutS + CUT_S;
  const againS = backS + BEGINS_S;
  const changes = [
    { atS: cutS, factor },
    { atS: backS, factor: 1 },
  ];
  const { endS } = windowAt(of.trigger, againS);
  const arm = armOf(context, of, { beginsS: [BEGINS_S, againS], endS, changes });
  const [seen] = await seenOf(context, [arm]);
  const shifted = (seen?.timeline ?? [])
    .filter(({ atS }) => atS >= backS)
    .map((second) => ({ ...second, atS: second.atS - backS }));
  return verdictOn(shifted, windowAt(of.trigger, BEGINS_S));
}

type WayOut = Pick<MetastableResult, "recoversAtRps" | "replay">;
const NONE: WayOut = { recoversAtRps: null, replay: null };

async function wayOut(context: ExperimentContext, of: Case): Promise<WayOut> {
  const share = await shareThatRecovers(context, of);
  if (share === undefined) return NONE;
  return { recoversAtRps: usualOf(context).rate * share, replay: await replayAfter(context, of, share) };
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
  const results: MetastableResult[] = [];
  for (const [i, of] of cases.entries()) {
    const { timeline = [], valid = false } = seen[i] ?? {};
    const verdict = verdictOn(timeline, windowAt(of.trigger, BEGINS_S));
    const isDown = verdict.recovery.kind === "metastable" && world === "virtual";
    const rest = isDown ? await wayOut(context, of) : NONE;
    results.push({ trigger: of.trigger.name, policy: of.policy, world, valid, verdict, ...rest });
  }
  return results;
}
