/** Settings that are fine alone and senseless together. */
import { parseProfile } from "../../loadgen/profile.ts";
import { parseTimeline } from "../backend/faults.ts";
import { hopName } from "./knobs.ts";
import type { Values } from "./values-type.ts";

type Explicit = ReadonlySet<string>;

/** `hop` undefined: the values for all hops. */
function impossiblePolicy(values: Values, hop: string): string[] {
  const problems: string[] = [];
  const number = (name: string): number => values.number(name, hop);
  const label = (name: string): string => (values.isSet(name, hop) ? hopName(hop, name) : name);
  const backoff = values.text("BACKOFF", hop);
  const capped = backoff !== "none" && backoff !== "fixed";
  if (capped && number("BACKOFF_CAP_MS") < number("BACKOFF_BASE_MS")) {
    problems.push(
      `${label("BACKOFF_CAP_MS")}=${number("BACKOFF_CAP_MS")} is below ${label("BACKOFF_BASE_MS")}=${number("BACKOFF_BASE_MS")}: ` +
        "the longest wait cannot be shorter than the first",
    );
  }
  const budget = values.text("BUDGET", hop);
  if (
    (budget === "token-bucket" || budget === "success") &&
    number("BUDGET_START") > number("BUDGET_BURST")
  ) {
    problems.push(
      `${label("BUDGET_START")}=${number("BUDGET_START")} is above ${label("BUDGET_BURST")}=${number("BUDGET_BURST")}: ` +
        "a bucket cannot start fuller than full",
    );
  }
  const floor = number("BUDGET_MIN_PER_S") * number("BUDGET_WINDOW_S");
  if ((budget === "window" || budget === "decayed") && floor > 0 && floor < 1) {
    problems.push(
      `${label("BUDGET_MIN_PER_S")} · ${label("BUDGET_WINDOW_S")} is ${floor}: below one retry in a window the floor could never be spent`,
    );
  }
  return problems;
}

/** [name, whether it has an effect at a hop, what it would need] */
type Effect = readonly [name: string, works: (values: Values, hop: string) => boolean, needs: string];

const is =
  (name: string, ...wanted: string[]) =>
  (values: Values, hop: string): boolean =>
    wanted.includes(values.text(name, hop));

const EFFECTS: readonly Effect[] = [
  ["BUDGET_RATIO", (values, hop) => values.text("BUDGET", hop) !== "none", "a BUDGET other than none"],
  ["BUDGET_MIN_PER_S", (values, hop) => values.text("BUDGET", hop) !== "none", "a BUDGET other than none"],
  ["BUDGET_BURST", is("BUDGET", "token-bucket", "success"), "BUDGET=token-bucket or success"],
  ["BUDGET_START", is("BUDGET", "token-bucket", "success"), "BUDGET=token-bucket or success"],
  ["BUDGET_COST", is("BUDGET", "success"), "BUDGET=success"],
  ["BUDGET_WINDOW_S", is("BUDGET", "window", "decayed"), "BUDGET=window or decayed"],
  ["BACKOFF_CAP_MS", is("BACKOFF", "exponential", "full", "equal", "decorrelated"), "a BACKOFF that grows"],
  ["BACKOFF_BASE_MS", (values, hop) => values.text("BACKOFF", hop) !== "none", "a BACKOFF other than none"],
  ["OVERLOAD_RETRY", (values, hop) => values.flag("RESPECT_RETRY_AFTER", hop), "RESPECT_RETRY_AFTER=1"],
  ["BREAKER_FAILURES", is("BREAKER", "consecutive"), "BREAKER=consecutive"],
  ["BREAKER_SHARE", is("BREAKER", "rate"), "BREAKER=rate"],
  ["BREAKER_MIN_CALLS", is("BREAKER", "rate"), "BREAKER=rate"],
  ["BREAKER_WINDOW_S", is("BREAKER", "rate"), "BREAKER=rate"],
  ["BREAKER_COOL_OFF_MS", is("BREAKER", "rate", "consecutive"), "BREAKER=rate or consecutive"],
  ["BREAKER_PROBES", is("BREAKER", "rate", "consecutive"), "BREAKER=rate or consecutive"],
];

function withoutEffect(values: Values, tiers: readonly string[], explicit: Explicit): string[] {
  const problems: string[] = [];
  for (const [name, works, needs] of EFFECTS) {
    const reached = tiers.filter((hop) => !values.isSet(name, hop));
    if (explicit.has(name) && !reached.some((hop) => works(values, hop))) {
      problems.push(`${name}: has no effect here; it needs ${needs}`);
    }
    for (const hop of tiers) {
      const own = hopName(hop, name);
      if (explicit.has(own) && !works(values, hop))
        problems.push(`${own}: has no effect here; it needs ${needs} at ${hop}`);
    }
  }
  return problems;
}

function impossibleLoad(values: Values, explicit: Explicit): string[] {
  const problems: string[] = [];
  if (values.text("LOAD") === "closed") {
    if (values.text("ARRIVALS") === "poisson")
      problems.push("LOAD=closed with ARRIVALS=poisson: a closed loop has no schedule");
    if (values.text("RATE_PROFILE") !== "")
      problems.push("LOAD=closed with RATE_PROFILE: a closed loop has no schedule");
  } else if (explicit.has("CLOSED_CONNECTIONS")) {
    problems.push("CLOSED_CONNECTIONS: has no effect here; it needs LOAD=closed");
  }
  if (explicit.has("IDEMPOTENCY_KEYS") && values.number("WRITE_SHARE") === 0) {
    problems.push("IDEMPOTENCY_KEYS: has no effect here; it needs a WRITE_SHARE above 0");
  }
  if (explicit.has("SHED_RETRY_AFTER_S") && values.number("QUEUE_LIMIT") === Infinity) {
    problems.push("SHED_RETRY_AFTER_S: has no effect here; it needs a QUEUE_LIMIT");
  }
  return problems;
}

function beyondTheEnd(values: Values): string[] {
  const durationS = values.number("DURATION_S");
  const problems: string[] = [];
  const check = (name: string, times: readonly number[]): void => {
    for (const atS of times) {
      if (atS >= durationS)
        problems.push(`${name}: its step at ${atS}s is not before the end, DURATION_S=${durationS}`);
    }
  };
  check(
    "FAULT_TIMELINE",
    parseTimeline(values.text("FAULT_TIMELINE")).steps.map(({ atMs }) => atMs / 1000),
  );
  check(
    "RATE_PROFILE",
    parseProfile(values.text("RATE_PROFILE"))
      .steps.filter(({ ramp }) => !ramp)
      .map(({ atS }) => atS),
  );
  return problems;
}

/** Every contradiction, as sentences. `explicit` names what the user typed for this command. */
export function contradictions(values: Values, tiers: readonly string[], explicit: Explicit): string[] {
  return [
    ...new Set(tiers.flatMap((hop) => impossiblePolicy(values, hop))),
    ...withoutEffect(values, tiers, explicit),
    ...impossibleLoad(values, explicit),
    ...beyondTheEnd(values),
  ];
}
