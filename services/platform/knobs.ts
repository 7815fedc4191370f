/**
 * Every setting of the lab, as one table. `.env.example`, docs/knobs.md, the checks and the messages all come from it.
 */
import { BACKOFF_KINDS } from "../policy/backoff.ts";
import { BREAKER_RULES } from "../policy/breaker-rule.ts";
import { BUDGET_KINDS } from "../policy/budget.ts";

/** `policy` knobs can be overridden for one hop by its name as a prefix: EDGE_MAX_ATTEMPTS. */
export type KnobGroup = "lab" | "load" | "policy" | "backend" | "service";

interface KnobBase {
  readonly name: string;
  readonly group: KnobGroup;
  readonly default: string;
  /** One line: what it does. */
  readonly doc: string;
}

export interface NumberKnob extends KnobBase {
  readonly kind: "number" | "integer";
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** A word that stands for "no limit", or for "computed", beside the numbers. */
  readonly word?: "off" | "auto";
}

export interface ChoiceKnob extends KnobBase {
  readonly kind: "choice";
  readonly choices: readonly string[];
}

export interface OtherKnob extends KnobBase {
  readonly kind: "flag" | "text" | "timeline" | "profile" | "tiers" | "chain" | "url" | "name";
}

export type Knob = NumberKnob | ChoiceKnob | OtherKnob;

type Range = readonly [min: number, max: number, word?: "off" | "auto"];

function numeric(kind: "number" | "integer", group: KnobGroup) {
  return (name: string, fallback: string, unit: string, range: Range, doc: string): NumberKnob => {
    const [min, max, word] = range;
    const base: NumberKnob = { name, group, kind, default: fallback, unit, min, max, doc };
    return word === undefined ? base : { ...base, word };
  };
}

const flag = (group: KnobGroup, name: string, fallback: "0" | "1", doc: string): Knob => {
  return { name, group, kind: "flag", default: fallback, doc };
};

const choice = (group: KnobGroup, name: string, choices: readonly string[], doc: string): Knob => {
  return { name, group, kind: "choice", default: choices[0] ?? "", choices, doc };
};

const other = (
  group: KnobGroup,
  kind: OtherKnob["kind"],
  name: string,
  fallback: string,
  doc: string,
): Knob => {
  return { name, group, kind, default: fallback, doc };
};

const policyInteger = numeric("integer", "policy");
const policyNumber = numeric("number", "policy");
const backendInteger = numeric("integer", "backend");
const backendNumber = numeric("number", "backend");
const loadInteger = numeric("integer", "load");
const loadNumber = numeric("number", "load");
const serviceInteger = numeric("integer", "service");

const LAB: readonly Knob[] = [
  other("lab", "name", "POLICY", "naive", "The policy: the name of a file in policies/, without .env."),
  other("lab", "name", "SCENARIO", "reference", "A name for the run, shown in its report."),
  choice(
    "lab",
    "WORLD",
    ["auto", "compose", "process", "virtual"],
    "Where the chain runs; auto: Compose where an engine answers, else processes.",
  ),
  other("lab", "text", "REPORTS_DIR", "reports", "The folder that gets one folder for each run."),
  other(
    "lab",
    "tiers",
    "TIERS",
    "edge,api",
    "The retrying hops before the backend, from the client's side down.",
  ),
];

const LOAD: readonly Knob[] = [
  loadNumber("RATE", "60", "requests/s", [0.1, 20_000], "Offered load."),
  loadNumber("DURATION_S", "20", "s", [0.1, 3600], "Length of the measured run."),
  choice(
    "load",
    "ARRIVALS",
    ["constant", "poisson"],
    "Evenly spaced arrivals, or random ones of the same rate.",
  ),
  other(
    "load",
    "profile",
    "RATE_PROFILE",
    "",
    "Changes of the rate: `at 5s rate 120; by 20s rate 200` (at: step, by: ramp).",
  ),
  loadInteger("SEED", "1", "", [0, 2_147_483_647], "Seed of all luck: arrivals, errors, jitter."),
  loadNumber(
    "WARMUP_S",
    "1",
    "s",
    [0, 60],
    "Requests before the measured run, at a healthy backend; not counted.",
  ),
  loadNumber("WRITE_SHARE", "0", "share", [0, 1], "Share of the requests that are writes (POST)."),
  flag("load", "IDEMPOTENCY_KEYS", "1", "Whether the client gives each write an idempotency key."),
  choice(
    "load",
    "LOAD",
    ["open", "closed"],
    "Open loop (a schedule), or closed loop (autocannon: waits for answers).",
  ),
  loadInteger("CLOSED_CONNECTIONS", "10", "connections", [1, 1000], "Concurrent users of the closed loop."),
  loadNumber(
    "CLIENT_TIMEOUT_MS",
    "10000",
    "ms",
    [1, 600_000, "off"],
    "How long the client waits; longer than the naive chain's worst case, so that it shows.",
  ),
  loadInteger(
    "CLIENT_CONNECTIONS",
    "1024",
    "connections",
    [1, 10_000],
    "The most connections of the generator to the first hop.",
  ),
  loadNumber(
    "DRAIN_S",
    "15",
    "s",
    [0, 120],
    "How long to wait for what is still in flight after the last arrival.",
  ),
];

const POLICY: readonly Knob[] = [
  policyInteger(
    "MAX_ATTEMPTS",
    "3",
    "attempts",
    [1, 10],
    "Attempts for each call, the first included; 1: no retries.",
  ),
  policyNumber("ATTEMPT_TIMEOUT_MS", "200", "ms", [1, 600_000, "off"], "How long one attempt may take."),
  choice(
    "policy",
    "BACKOFF",
    ["fixed", ...BACKOFF_KINDS.filter((kind) => kind !== "fixed")],
    "How the wait before a retry grows and spreads.",
  ),
  policyNumber("BACKOFF_BASE_MS", "10", "ms", [0, 60_000], "The wait before the first retry."),
  policyNumber("BACKOFF_CAP_MS", "1000", "ms", [0, 600_000], "The longest wait."),
  policyNumber(
    "DEADLINE_MS",
    "off",
    "ms",
    [1, 600_000, "off"],
    "By when the whole call must be answered; passed on to the tier below.",
  ),
  policyNumber(
    "MIN_ATTEMPT_MS",
    "0",
    "ms",
    [0, 600_000],
    "The least time that an attempt must have left to be begun.",
  ),
  choice("policy", "BUDGET", BUDGET_KINDS, "The kind of retry budget."),
  policyNumber(
    "BUDGET_RATIO",
    "0.2",
    "retries/request",
    [0, 10],
    "Retries allowed for each request (success: tokens for each success).",
  ),
  policyNumber("BUDGET_BURST", "10", "tokens", [0, 100_000], "The most that a bucket can save up."),
  policyNumber("BUDGET_START", "0", "tokens", [0, 100_000], "Tokens in the bucket at the start."),
  policyNumber("BUDGET_MIN_PER_S", "0", "retries/s", [0, 10_000], "Retries that are always affordable."),
  policyNumber("BUDGET_COST", "1", "tokens", [0.001, 1000], "What one retry costs a success budget."),
  policyNumber(
    "BUDGET_WINDOW_S",
    "10",
    "s",
    [0.1, 600],
    "Length of a window budget, mean age of a decayed one.",
  ),
  flag("policy", "RETRY_OWNER", "1", "Whether this hop retries; 0: it hands on what it got."),
  flag("policy", "RESPECT_RETRY_OK", "0", "Whether `x-retry-ok: 0` from below stops the retries here."),
  flag("policy", "RESPECT_RETRY_AFTER", "0", "Whether overloaded (503, 429) is told apart from failed."),
  flag(
    "policy",
    "OVERLOAD_RETRY",
    "0",
    "With RESPECT_RETRY_AFTER: try again after the time asked for (1), or stop (0).",
  ),
  choice("policy", "BREAKER", ["off", ...BREAKER_RULES], "The rule that opens the circuit breaker."),
  policyInteger(
    "BREAKER_FAILURES",
    "5",
    "calls",
    [1, 100_000],
    "consecutive: failures in a row that open it.",
  ),
  policyNumber("BREAKER_SHARE", "0.5", "share", [0.001, 1], "rate: share of failed calls that opens it."),
  policyInteger(
    "BREAKER_MIN_CALLS",
    "20",
    "calls",
    [1, 100_000],
    "rate: calls in the window below which nothing is judged.",
  ),
  policyNumber("BREAKER_WINDOW_S", "10", "s", [0.1, 600], "rate: length of the window."),
  policyNumber("BREAKER_COOL_OFF_MS", "1000", "ms", [1, 600_000], "The least time that it stays open."),
  policyInteger(
    "BREAKER_PROBES",
    "3",
    "calls",
    [1, 1000],
    "Calls let through when half open; all must succeed.",
  ),
];

const BACKEND: readonly Knob[] = [
  backendNumber("CAPACITY", "90", "calls/s", [0.001, 100_000], "Calls that the throttle lets through."),
  backendNumber(
    "CAPACITY_BURST",
    "auto",
    "calls",
    [1, 100_000, "auto"],
    "Calls that it can save up; auto: a tenth of the capacity.",
  ),
  backendNumber("LATENCY_MS", "8", "ms", [0, 600_000], "Service time, once a call has its token."),
  backendNumber("ERROR_RATE", "0.4", "share", [0, 1], "Share of the served calls that fail."),
  backendInteger(
    "QUEUE_LIMIT",
    "off",
    "calls",
    [0, 100_000, "off"],
    "Calls that may wait for a token; beyond it they are shed with 503.",
  ),
  backendNumber("SHED_RETRY_AFTER_S", "1", "s", [0, 3600], "What a shed reply says in Retry-After."),
  flag("backend", "DROP_EXPIRED", "0", "Drop queued calls whose deadline has passed."),
  flag("backend", "LEAVE_ON_DISCONNECT", "0", "Let a caller who has gone away leave the queue."),
  other(
    "backend",
    "timeline",
    "FAULT_TIMELINE",
    "",
    "Changes of the backend: `at 5s capacity 90 error 0.4; at 15s capacity 200 error 0`.",
  ),
];

const SERVICE: readonly Knob[] = [
  other("service", "text", "HOST", "127.0.0.1", "The address that a service listens on."),
  serviceInteger("PORT", "0", "", [0, 65_535], "The port that a service listens on; 0: any free one."),
  other("service", "url", "UPSTREAM_URL", "", "The tier below a hop; set by the lab."),
  serviceInteger(
    "UPSTREAM_CONNECTIONS",
    "256",
    "connections",
    [1, 10_000],
    "The most connections of a hop to the tier below.",
  ),
  other(
    "service",
    "chain",
    "CHAIN",
    "",
    "The tiers, for the generator: `edge=http://…,api=http://…,backend=http://…`; set by the lab.",
  ),
  choice(
    "service",
    "LOG_LEVEL",
    ["warn", "fatal", "error", "info", "debug", "trace", "silent"],
    "debug shows every attempt, info failed calls.",
  ),
];

export const KNOBS: readonly Knob[] = [...LAB, ...LOAD, ...POLICY, ...BACKEND, ...SERVICE];

export const KNOB_BY_NAME: ReadonlyMap<string, Knob> = new Map(KNOBS.map((knob) => [knob.name, knob]));

/** Attempt timeouts stack: an upper hop must wait for the whole retry loop of the one below it. */
export const EDGE_ATTEMPT_TIMEOUT_MS = "700";

/** What a hop has by default where that differs from the table: the reference settings of the design. */
export const HOP_DEFAULTS: Readonly<Record<string, string>> = { EDGE_ATTEMPT_TIMEOUT_MS };

/** A hop's own name for a knob: EDGE_MAX_ATTEMPTS. */
export function hopName(hop: string, name: string): string {
  return `${hop.toUpperCase()}_${name}`;
}
