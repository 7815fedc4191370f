/** Settings that are fine alone and senseless together. What merely has no effect is in `no-effect.ts`. */
import { parseProfile } from "./rate-profile.ts";
import { parseTimeline, slowsStragglers } from "../contract/faults.ts";
import { hopName } from "./knobs/knobs.ts";
import type { Values } from "./values-type.ts";

export interface Contradiction {
  /** The settings that it is about, as they are called where they were set. */
  readonly names: readonly string[];
  readonly text: string;
}

/** More records than this are no experiment but a slip, and would fill the disk. */
const MOST_REQUESTS = 10_000_000;

/** What a knob is called where its value for `hop` was set. */
export function nameFor(values: Values, knob: string, hop: string): string {
  return values.isSet(knob, hop) ? hopName(hop, knob) : knob;
}

type Compare = readonly [
  lower: string,
  upper: string,
  isWrong: (lower: number, upper: number) => boolean,
  why: string,
];

const above = (lower: number, upper: number): boolean => lower > upper;

const START: Compare = ["BUDGET_START", "BUDGET_BURST", above, "a bucket cannot hold more than its burst"];
const CAP: Compare = [
  "BACKOFF_BASE_MS",
  "BACKOFF_CAP_MS",
  above,
  "the longest wait cannot be below the first",
];
const ATTEMPT: Compare = [
  "MIN_ATTEMPT_MS",
  "ATTEMPT_TIMEOUT_MS",
  above,
  "no attempt is ever given as much time as it needs at least",
];
const DEADLINE: Compare = [
  "MIN_ATTEMPT_MS",
  "DEADLINE_MS",
  (lower, upper) => lower >= upper,
  "no attempt could ever begin",
];

function comparisonsAt(values: Values, hop: string): Compare[] {
  const grows = !["none", "fixed"].includes(values.text("BACKOFF", hop));
  const isBucket = ["token-bucket", "success"].includes(values.text("BUDGET", hop));
  return [...(grows ? [CAP] : []), ...(isBucket ? [START] : []), ATTEMPT, DEADLINE];
}

function atHop(values: Values, hop: string): Contradiction[] {
  return comparisonsAt(values, hop).flatMap(([lower, upper, isWrong, why]) => {
    const [low, high] = [values.number(lower, hop), values.number(upper, hop)];
    if (!isWrong(low, high)) return [];
    const names = [nameFor(values, lower, hop), nameFor(values, upper, hop)];
    return [{ names, text: `${names[0]}=${low} does not go with ${names[1]}=${high}: ${why}.` }];
  });
}

function floorAt(values: Values, hop: string): Contradiction[] {
  const perS = values.number("BUDGET_MIN_PER_S", hop);
  const windowS = values.number("BUDGET_WINDOW_S", hop);
  const isWindow = ["window", "decayed"].includes(values.text("BUDGET", hop));
  if (!isWindow || perS === 0 || perS * windowS >= 1) return [];
  const names = [nameFor(values, "BUDGET_MIN_PER_S", hop), nameFor(values, "BUDGET_WINDOW_S", hop)];
  const text = `${names[0]}=${perS} does not go with ${names[1]}=${windowS}: together they are less than one retry in a window, which could never be spent.`;
  return [{ names, text }];
}

function hedgeAt(values: Values, hop: string, tiers: readonly string[]): Contradiction[] {
  const kind = values.text("HEDGE", hop);
  const name = nameFor(values, "HEDGE", hop);
  if (kind === "off") return [];
  const last = tiers.at(-1);
  if (values.number("REPLICAS") === 1) {
    const text = `${name}=${kind} does not go with REPLICAS=1: a second copy needs another replica to go to.`;
    return [{ names: [name, "REPLICAS"], text }];
  }
  if (hop === last || name === "HEDGE") return [];
  const text = `${name}=${kind} does not go with TIERS=${tiers.join(",")}: only ${last}, which calls the backend, can send a second copy to another replica.`;
  return [{ names: [name, "TIERS"], text }];
}

function slowReplica(values: Values): Contradiction[] {
  const slow = values.number("SLOW_REPLICA");
  if (slow === Infinity) return [];
  const found: Contradiction[] = [];
  const add = (name: string, why: string): void => {
    const text = `SLOW_REPLICA=${slow} does not go with ${name}=${values.number(name)}: ${why}.`;
    found.push({ names: ["SLOW_REPLICA", name], text });
  };
  if (slow > values.number("REPLICAS")) add("REPLICAS", "there is no such replica");
  else if (values.number("REPLICAS") === 1)
    add("REPLICAS", "a slow replica is one among others; use LATENCY_MS");
  if (values.number("STRAGGLER_MS") === 0 && !slowsStragglers(values.text("FAULT_TIMELINE")))
    add("STRAGGLER_MS", "it would not be slower than the others");
  return found;
}

function stragglersWithoutAny(values: Values): Contradiction[] {
  if (!slowsStragglers(values.text("FAULT_TIMELINE"))) return [];
  if (values.number("STRAGGLER_SHARE") > 0 || values.number("SLOW_REPLICA") !== Infinity) return [];
  const text =
    "FAULT_TIMELINE makes stragglers slower, which does not go with STRAGGLER_SHARE=0 and SLOW_REPLICA=off: there are none. Set one of the two.";
  return [{ names: ["FAULT_TIMELINE", "STRAGGLER_SHARE", "SLOW_REPLICA"], text }];
}

function closedLoop(values: Values): Contradiction[] {
  if (values.text("LOAD") !== "closed") return [];
  const found: Contradiction[] = [];
  const add = (name: string, value: string, why: string): void => {
    found.push({ names: ["LOAD", name], text: `LOAD=closed does not go with ${name}=${value}: ${why}.` });
  };
  const why = "a closed loop waits for answers and has no schedule";
  if (values.text("ARRIVALS") === "poisson") add("ARRIVALS", "poisson", why);
  const profile = values.text("RATE_PROFILE");
  if (profile !== "") add("RATE_PROFILE", JSON.stringify(profile), why);
  if (values.text("WORLD") === "virtual") add("WORLD", "virtual", "the closed loop runs over HTTP only");
  return found;
}

function tooMany(values: Values): Contradiction[] {
  const [rate, seconds] = [values.number("RATE"), values.number("DURATION_S")];
  if (rate * seconds <= MOST_REQUESTS) return [];
  const text = `RATE=${rate} does not go with DURATION_S=${seconds}: a run has at most ${MOST_REQUESTS} requests.`;
  return [{ names: ["RATE", "DURATION_S"], text }];
}

function afterTheEnd(values: Values): Contradiction[] {
  const endS = values.number("DURATION_S");
  const report = (name: string, atS: number): Contradiction => {
    const text = `${name} has a step at ${atS}s, which does not go with DURATION_S=${endS}: the run is over by then.`;
    return { names: [name, "DURATION_S"], text };
  };
  const faults = parseTimeline(values.text("FAULT_TIMELINE")).steps;
  const rates = parseProfile(values.text("RATE_PROFILE")).steps;
  return [
    ...faults
      .filter(({ atMs }) => atMs / 1000 >= endS)
      .map(({ atMs }) => report("FAULT_TIMELINE", atMs / 1000)),
    // A ramp may end where the run does.
    ...rates
      .filter(({ atS, ramp }) => atS > endS || (atS === endS && !ramp))
      .map(({ atS }) => report("RATE_PROFILE", atS)),
  ];
}

/** Every contradiction in `values`, each once. */
export function contradictions(values: Values, tiers: readonly string[]): Contradiction[] {
  const all = [
    ...tiers.flatMap((hop) => [
      ...atHop(values, hop),
      ...floorAt(values, hop),
      ...hedgeAt(values, hop, tiers),
    ]),
    ...slowReplica(values),
    ...stragglersWithoutAny(values),
    ...closedLoop(values),
    ...tooMany(values),
    ...afterTheEnd(values),
  ];
  return [...new Map(all.map((found) => [found.text, found])).values()];
}
