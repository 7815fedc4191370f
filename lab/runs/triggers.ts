/**
 * Things that go wrong for a while and then are over, under unchanged load: what a metastable failure needs to begin.
 *
 * Outside the trigger the backend is healthy and has twice the capacity that the load asks for. So nothing but the
 * policy can be the reason where the chain stays down afterwards.
 */
import { rounded } from "../../loadgen/core/format.ts";
import { ConfigError } from "../../services/settings/values.ts";
import type { ExperimentContext } from "./context.ts";

export interface Trigger {
  readonly name: string;
  /** One line for people. */
  readonly what: string;
  readonly lastsS: number;
  /** The timeline while it lasts: `at` gives the second that lies so many after its beginning. */
  readonly faults?: (at: (afterS: number) => string) => string;
  /** Client requests a second while it lasts, as a multiple of the load. */
  readonly load?: number;
  /** What must be there for it all the time. */
  readonly settings?: Readonly<Record<string, string>>;
}

export const HEALTHY: Readonly<Record<string, string>> = {
  RATE: "45",
  CAPACITY: "90",
  ERROR_RATE: "0",
  LATENCY_MS: "8",
  DRAIN_S: "15",
};

export const TRIGGERS: readonly Trigger[] = [
  {
    name: "capacity-dip",
    what: "the backend's capacity falls from 90 to 30 calls/s for 5 s",
    lastsS: 5,
    faults: (at) => `${at(0)} capacity 30; ${at(5)} capacity 90`,
  },
  {
    name: "error-burst",
    what: "90 % of the calls fail for 5 s",
    lastsS: 5,
    faults: (at) => `${at(0)} error 0.9; ${at(5)} error 0`,
  },
  {
    name: "load-spike",
    what: "the load is three times as high for 2 s",
    lastsS: 2,
    load: 3,
  },
  {
    name: "latency-spike",
    what: "each call takes 300 ms, longer than an attempt may take, for 5 s",
    lastsS: 5,
    faults: (at) => `${at(0)} latency 300; ${at(5)} latency 8`,
  },
  {
    name: "cold-start",
    what: "a restart: 2 s with next to nothing, then 4 s with cold caches",
    lastsS: 6,
    faults: (at) => `${at(0)} capacity 1; ${at(2)} capacity 60 latency 60; ${at(6)} capacity 90 latency 8`,
  },
  {
    name: "slow-replica",
    what: "one of two replicas takes 300 ms longer for each call, longer than an attempt may take, for 10 s",
    lastsS: 10,
    faults: (at) => `${at(0)} straggler 300; ${at(10)} straggler 0`,
    // With 90 the other replica could carry the whole load and not one call more: a verdict at an edge is none.
    settings: { REPLICAS: "2", SLOW_REPLICA: "2", CAPACITY: "80" },
  },
];

/** @throws ConfigError with every name that there is no trigger of */
export function triggersNamed(names: readonly string[]): Trigger[] {
  const unknown = names.filter((name) => !TRIGGERS.some((trigger) => trigger.name === name));
  if (unknown.length === 0) return TRIGGERS.filter(({ name }) => names.includes(name));
  const known = TRIGGERS.map(({ name }) => name).join(", ");
  throw new ConfigError(unknown.map((name) => `--trigger ${name}: there is none of this name. There are: ${known}.`));
}

/** The load of the scenario, or the user's own RATE. */
export function rateOf({ settingsFor, typed }: ExperimentContext): number {
  return Number(typed.includes("RATE") ? settingsFor({})["RATE"] : HEALTHY["RATE"]);
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

/** The settings of a run in which `trigger` comes at each of `beginsS`. @param rate the usual load */
export function settingsOf(
  { trigger, beginsS, endS, changes = [] }: TriggerPlan,
  rate: number,
): Record<string, string> {
  const { faults, load, lastsS, name, settings } = trigger;
  const timelines = faults === undefined ? [] : beginsS.map((s) => faults((afterS) => `at ${s + afterS}s`));
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
    RATE_PROFILE: steps.map(({ atS, factor }) => `at ${atS}s rate ${rounded(rate * factor)}`).join("; "),
  };
}
