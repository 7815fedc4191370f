/** What the twin runs: each policy in each scenario, how it is judged, and how long HTTP will take for it. */
import type { Wanted } from "../../runs/planned.ts";
import { neededRuns, type JudgedBy } from "./judgement.ts";
import { sceneOf, settingsOf, type Trigger, type Usual } from "../../runs/triggers.ts";

export interface TwinRequest {
  readonly policies: readonly string[];
  /** Seeds for each policy that is judged by tolerance, 1 or more. */
  readonly repeat: number;
  /** Policies at the tipping point, which are judged by distribution in the reference scenario. */
  readonly bistable: readonly string[];
  /** Seeds for each of those, LEAST_FOR_DISTRIBUTION or more. */
  readonly bistableRepeat: number;
  /** Triggers of `bin/lab metastable`: each is a scenario beside the reference. */
  readonly triggers: readonly Trigger[];
}

/** One policy in one scenario. */
export interface TwinCase extends Pick<Wanted, "scene" | "settings"> {
  readonly scenario: string;
  readonly policy: string;
  readonly by: JudgedBy;
  readonly repeat: number;
}

/**
 * A run that is judged by distribution is short: so many of them are made, and after 8 s of the reference scenario some
 * storm and some do not, which is what there is to compare.
 */
const BISTABLE_S = "8";

/** The trigger of a scenario begins then, and the chain has so long to recover; in seconds. */
const TRIGGER = { beginsS: 5, afterS: 15 };

/** @param usualOf what holds outside a trigger */
export function twinCases(request: TwinRequest, usualOf: (trigger: Trigger) => Usual): TwinCase[] {
  const policies = [...new Set(request.policies)];
  const reference = policies.map((policy): TwinCase => {
    const isBistable = request.bistable.includes(policy);
    return {
      scenario: "reference",
      policy,
      by: isBistable ? "distribution" : "tolerance",
      repeat: isBistable ? request.bistableRepeat : request.repeat,
      scene: isBistable ? { DURATION_S: BISTABLE_S } : {},
      settings: {},
    };
  });
  // A trigger leaves no doubt which way a policy goes, so the medians of a few runs say enough.
  const triggered = request.triggers.flatMap((trigger) => {
    const { beginsS, afterS } = TRIGGER;
    const plan = { trigger, beginsS: [beginsS], endS: beginsS + trigger.lastsS + afterS };
    const [scene, settings] = [sceneOf(trigger), settingsOf(plan, usualOf(trigger))];
    return policies.map((policy): TwinCase => {
      return { scenario: trigger.name, policy, by: "tolerance", repeat: request.repeat, scene, settings };
    });
  });
  return [...reference, ...triggered];
}

/** Starting four programs, warming them up, waiting for the last answers and ending them, in seconds; seen, not known. */
const AROUND_A_RUN_S = 5;

/** Seconds that runs over HTTP of these lengths take, one after the other. */
export function expectedSeconds(durationsS: readonly number[]): number {
  return durationsS.reduce((sum, durationS) => sum + durationS + AROUND_A_RUN_S, 0);
}

/** "3 policies …": what is about to happen and how long it takes. */
export function announcement(cases: readonly TwinCase[], missing: number, seconds: number): string {
  const what = cases.map(({ scenario, policy, by, repeat }) => {
    const needed = neededRuns(by, repeat);
    const how = by === "distribution" ? `distribution, at least ${needed} valid runs` : "tolerance";
    return `  ${scenario}, ${policy}: ${repeat} seeds, judged by ${how}`;
  });
  const minutes = Math.max(1, Math.round(seconds / 60));
  const time = `${missing} runs over HTTP, one that measures the one-way latency among them unless ONE_WAY_MS is given: about ${minutes} min; those that come out INVALID are made once more. Virtual time takes moments.`;
  return [...what, time].join("\n");
}
