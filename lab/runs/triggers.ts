/**
 * Things that go wrong for a while and then are over, under unchanged load: what a metastable failure needs to begin.
 *
 * Outside the trigger the backend is healthy and has twice the capacity that the load asks for. So nothing but the
 * policy can be the reason where the chain stays down afterwards. A backend that the user has set otherwise has its
 * triggers in proportion, and is afterwards as it was before.
 */
import { rounded } from "../../loadgen/core/format.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { allOf, type ExperimentContext } from "./context.ts";
import { valueIn } from "./planned.ts";
import type { RunEnv } from "./pool.ts";

export interface Trigger {
  readonly name: string;
  readonly lastsS: number;
  /** The timeline while it lasts: `at` gives the second that lies so many after its beginning. */
  readonly faults?: (at: (afterS: number) => string, usual: Usual) => string;
  /** Client requests a second while it lasts, as a multiple of the load. */
  readonly load?: number;
  /** What must be there for it all the time. */
  readonly settings?: RunEnv;
  /** The same, unless the user says otherwise. */
  readonly scene?: RunEnv;
}

/** What holds outside the trigger. */
export interface Usual {
  /** Client requests a second. */
  readonly rate: number;
  /** Calls a second. */
  readonly capacity: number;
  /** 0 to 1. */
  readonly errorRate: number;
  readonly latencyMs: number;
}

export const HEALTHY = {
  RATE: "45",
  CAPACITY: "90",
  ERROR_RATE: "0",
  LATENCY_MS: "8",
  DRAIN_S: "15",
} as const satisfies RunEnv;

export const TRIGGERS: readonly Trigger[] = [
  {
    name: "capacity-dip",
    lastsS: 5,
    faults: (at, { capacity }) => `${at(0)} capacity ${rounded(capacity / 3)}; ${at(5)} capacity ${capacity}`,
  },
  {
    name: "error-burst",
    lastsS: 5,
    faults: (at, { errorRate }) => `${at(0)} error 0.9; ${at(5)} error ${errorRate}`,
  },
  {
    name: "load-spike",
    lastsS: 2,
    load: 3,
  },
  {
    name: "latency-spike",
    lastsS: 5,
    // Longer than an attempt may take.
    faults: (at, { latencyMs }) => `${at(0)} latency 300; ${at(5)} latency ${latencyMs}`,
  },
  {
    name: "cold-start",
    lastsS: 6,
    // Next to nothing, then cold caches.
    faults: (at, { capacity, latencyMs }) =>
      `${at(0)} capacity ${rounded(capacity / 90)}; ${at(2)} capacity ${rounded((capacity * 2) / 3)} latency 60; ${at(6)} capacity ${capacity} latency ${latencyMs}`,
  },
  {
    name: "slow-replica",
    lastsS: 10,
    faults: (at) => `${at(0)} straggler 300; ${at(10)} straggler 0`,
    settings: { REPLICAS: "2", SLOW_REPLICA: "2" },
    // With 90 the other replica could carry the whole load and not one call more: a verdict at an edge is none.
    scene: { CAPACITY: "80" },
  },
];

/** @throws ConfigError with every name that there is no trigger of */
export function triggersNamed(names: readonly string[]): Trigger[] {
  const unknown = names.filter((name) => !TRIGGERS.some((trigger) => trigger.name === name));
  if (unknown.length === 0) return TRIGGERS.filter(({ name }) => names.includes(name));
  const known = TRIGGERS.map(({ name }) => name).join(", ");
  throw new ConfigError(unknown.map((name) => `--trigger ${name}: there is none of this name. There are: ${known}.`));
}

/** What the trigger's runs have around it, unless the user says otherwise. */
export const sceneOf = ({ scene = {} }: Pick<Trigger, "scene">): RunEnv => ({ ...HEALTHY, ...scene });

/** What holds outside the trigger: its scene's, or the user's own. @throws ConfigError */
export function usualOf(context: ExperimentContext, trigger: Pick<Trigger, "scene"> = {}): Usual {
  const of = (name: string) => (): number => Number(valueIn(context, sceneOf(trigger), name));
  const [rate, capacity, errorRate, latencyMs] = allOf([
    of("RATE"),
    of("CAPACITY"),
    of("ERROR_RATE"),
    of("LATENCY_MS"),
  ]);
  return { rate, capacity, errorRate, latencyMs };
}

/** A change of the load: from `atS` on, `factor` times the usual. */
export interface LoadChange {
  readonly atS: number;
  readonly factor: number;
}

export interface TriggerPlan {
  readonly trigger: Trigger;
  /** When it begins, each time. */
  readonly beginsS: readonly number[];
  readonly endS: number;
  /** Changes of the load besides the trigger's own, in order. */
  readonly changes?: readonly LoadChange[];
}

/** The settings of a run in which `trigger` comes at each of `beginsS`. @param usual what holds outside it */
export function settingsOf(
  { trigger, beginsS, endS, changes = [] }: TriggerPlan,
  usual: Usual,
): Record<string, string> {
  const { faults, load, lastsS, name, settings } = trigger;
  const timelines = faults === undefined ? [] : beginsS.map((s) => faults((afterS) => `at ${s + afterS}s`, usual));
  const spikes =
    load === undefined
      ? []
      : beginsS.flatMap((s) => [
          { atS: s, factor: load },
          { atS: s + lastsS, factor: 1 },
        ]);
  const steps = [...spikes, ...changes].toSorted((a, b) => a.atS - b.atS);
  return {
    ...settings,
    SCENARIO: name,
    DURATION_S: String(endS),
    FAULT_TIMELINE: timelines.join("; "),
    RATE_PROFILE: steps.map(({ atS, factor }) => `at ${atS}s rate ${rounded(usual.rate * factor)}`).join("; "),
  };
}
