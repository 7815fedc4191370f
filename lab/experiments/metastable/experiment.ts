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
import { ConfigError } from "../../../services/settings/values.ts";
import { runnerParts, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import type { Second } from "../../runs/timeline.ts";
import { runEach, type ExperimentWorld, type NamedEnv } from "../../runs/runner.ts";
import { HEALTHY, settingsOf, TRIGGERS, type TriggerPlan, type Trigger } from "../../runs/triggers.ts";
import { healthyAfter, verdictOn, type TriggerVerdict } from "../../runs/recovery.ts";

const PATIENCE_S = 30;
/** After the patience, so that what is judged late is more than a moment. */
const LATE_S = 10;
/** How long a cut of the load may take to help. */
const CUT_S = 300;
/** Shares of the load to cut it to, the largest first. */
const CUTS = [0.9, 0.75, 0.5, 0.3, 0.2, 0.15, 0.1, 0.05];

export interface MetastableRequest {
  readonly policies: readonly string[];
  readonly triggers: readonly string[];
  readonly world: ExperimentWorld;
  /** Seconds before the trigger. */
  readonly beginsS: number;
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

interface CaseRun extends NamedEnv {
  readonly of: Case;
}

export function triggersNamed(names: readonly string[]): Trigger[] {
  const unknown = names.filter((name) => !TRIGGERS.some((trigger) => trigger.name === name));
  if (unknown.length === 0) return TRIGGERS.filter(({ name }) => names.includes(name));
  const known = TRIGGERS.map(({ name }) => name).join(", ");
  throw new ConfigError(
    unknown.map((name) => `--trigger ${name}: there is none of this name. There are: ${known}.`),
  );
}

/** The load of the scenario, or the user's own RATE. */
export function rateOf({ settingsFor, typed = [] }: ExperimentContext): number {
  return Number(typed.includes("RATE") ? settingsFor({})["RATE"] : HEALTHY["RATE"]);
}

class Lab {
  private readonly context: ExperimentContext;
  private readonly request: MetastableRequest;
  private readonly folder: string;
  readonly rate: number;

  constructor(context: ExperimentContext, request: MetastableRequest, folder: string) {
    this.context = context;
    this.request = request;
    this.folder = folder;
    this.rate = rateOf(context);
  }

  /** The courses of many runs, in their order. */
  async coursesOf(runs: readonly { readonly of: Case; readonly course: TriggerPlan }[]) {
    const { world } = this.request;
    const envs = settingsForEach(
      this.context,
      runs.map(({ of, course }) => ({
        ...HEALTHY,
        RATE: String(this.rate),
        ...settingsOf(course, this.rate),
        POLICY: of.policy,
        WORLD: world,
      })),
    );
    const named = runs.flatMap(({ of }, i): CaseRun[] => {
      const env = envs[i];
      return env === undefined ? [] : [{ of, env, name: `${of.trigger.name}-${of.policy}-${i}` }];
    });
    const results = new Map<CaseRun, { timeline: readonly Second[]; valid: boolean }>();
    await runEach(named, runnerParts(this.context, world, this.folder), (run, { timeline, summary }) => {
      results.set(run, { timeline, valid: summary.valid });
    });
    return named.flatMap((run) => results.get(run) ?? []);
  }

  windowAt(trigger: Trigger, triggeredS: number) {
    const removedS = triggeredS + trigger.lastsS;
    return { triggeredS, removedS, patienceS: PATIENCE_S, endS: removedS + PATIENCE_S + LATE_S };
  }

  /** Step 2. @returns the largest share of the load at which `of` recovers; undefined where none was small enough */
  async shareThatRecovers(of: Case): Promise<number | undefined> {
    const { beginsS } = this.request;
    const cutS = this.windowAt(of.trigger, beginsS).removedS + PATIENCE_S;
    const endS = cutS + CUT_S;
    const courses = await this.coursesOf(
      CUTS.map((factor) => ({
        of,
        course: { trigger: of.trigger, beginsS: [beginsS], endS, changes: [{ atS: cutS, factor }] },
      })),
    );
    return CUTS.find((_, i) => healthyAfter(courses[i]?.timeline ?? [], cutS, endS) < CUT_S);
  }

  /** Step 3. The queue may be long: the cut lasts its full time. */
  async replay(of: Case, factor: number): Promise<TriggerVerdict> {
    const { beginsS } = this.request;
    const cutS = this.windowAt(of.trigger, beginsS).removedS + PATIENCE_S;
    const backS = cutS + CUT_S;
    const againS = backS + beginsS;
    const window = this.windowAt(of.trigger, againS);
    const changes = [
      { atS: cutS, factor },
      { atS: backS, factor: 1 },
    ];
    const course = { trigger: of.trigger, beginsS: [beginsS, againS], endS: window.endS, changes };
    const [run] = await this.coursesOf([{ of, course }]);
    const shifted = (run?.timeline ?? [])
      .filter(({ atS }) => atS >= backS)
      .map((second) => ({ ...second, atS: second.atS - backS }));
    return verdictOn(shifted, this.windowAt(of.trigger, beginsS));
  }

  async wayOut(of: Case): Promise<Pick<MetastableResult, "recoversAtRps" | "replay">> {
    const share = await this.shareThatRecovers(of);
    if (share === undefined) return { recoversAtRps: null, replay: null };
    return { recoversAtRps: this.rate * share, replay: await this.replay(of, share) };
  }
}

/** One result for each trigger and policy. */
export async function metastable(
  context: ExperimentContext,
  request: MetastableRequest,
  folder: string,
): Promise<MetastableResult[]> {
  const lab = new Lab(context, request, folder);
  const cases = triggersNamed(request.triggers).flatMap((trigger) =>
    request.policies.map((policy): Case => ({ trigger, policy })),
  );
  const { beginsS, world } = request;
  const courses = await lab.coursesOf(
    cases.map((of) => {
      const { endS } = lab.windowAt(of.trigger, beginsS);
      return { of, course: { trigger: of.trigger, beginsS: [beginsS], endS } };
    }),
  );
  const results: MetastableResult[] = [];
  for (const [i, of] of cases.entries()) {
    const { timeline = [], valid = false } = courses[i] ?? {};
    const verdict = verdictOn(timeline, lab.windowAt(of.trigger, beginsS));
    const isDown = verdict.recovery.kind === "metastable" && world === "virtual";
    const way = isDown ? await lab.wayOut(of) : { recoversAtRps: null, replay: null };
    results.push({ trigger: of.trigger.name, policy: of.policy, world, valid, verdict, ...way });
  }
  return results;
}
