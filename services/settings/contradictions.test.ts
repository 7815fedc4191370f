import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConfigError, readValues } from "./values.ts";

type Env = Record<string, string>;

function problemsOf(env: Env): readonly string[] {
  try {
    readValues(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const REFUSED: readonly [why: string, env: Env, message: string][] = [
  [
    "the longest wait is below the first",
    { BACKOFF: "full", BACKOFF_BASE_MS: "50", BACKOFF_CAP_MS: "20" },
    "BACKOFF_BASE_MS=50 does not go with BACKOFF_CAP_MS=20: the longest wait cannot be below the first.",
  ],
  [
    "the longest wait of one hop is below the first of all",
    { BACKOFF: "exponential", BACKOFF_BASE_MS: "50", EDGE_BACKOFF_CAP_MS: "20" },
    "BACKOFF_BASE_MS=50 does not go with EDGE_BACKOFF_CAP_MS=20: the longest wait cannot be below the first.",
  ],
  [
    "a bucket starts with more than it can hold",
    { BUDGET: "token-bucket", BUDGET_START: "11", BUDGET_BURST: "10" },
    "BUDGET_START=11 does not go with BUDGET_BURST=10: a bucket cannot hold more than its burst.",
  ],
  [
    "the same at one hop",
    { API_BUDGET: "success", BUDGET_START: "3", BUDGET_BURST: "2" },
    "BUDGET_START=3 does not go with BUDGET_BURST=2: a bucket cannot hold more than its burst.",
  ],
  [
    "a floor is less than one retry in a window",
    { BUDGET: "window", BUDGET_MIN_PER_S: "0.1", BUDGET_WINDOW_S: "5" },
    "BUDGET_MIN_PER_S=0.1 does not go with BUDGET_WINDOW_S=5: together they are less than one retry in a window, which could never be spent.",
  ],
  [
    "no attempt gets the time that it needs",
    { MIN_ATTEMPT_MS: "300" },
    "MIN_ATTEMPT_MS=300 does not go with ATTEMPT_TIMEOUT_MS=200: no attempt is ever given as much time as it needs at least.",
  ],
  [
    "no attempt fits the deadline",
    { MIN_ATTEMPT_MS: "100", DEADLINE_MS: "100" },
    "MIN_ATTEMPT_MS=100 does not go with DEADLINE_MS=100: no attempt could ever begin.",
  ],
  [
    "a second copy has no other replica",
    { HEDGE: "delay" },
    "HEDGE=delay does not go with REPLICAS=1: a second copy needs another replica to go to.",
  ],
  [
    "a hop is to hedge that does not call the backend",
    { EDGE_HEDGE: "quantile", REPLICAS: "2" },
    "EDGE_HEDGE=quantile does not go with TIERS=edge,api: only api, which calls the backend, can send a second copy to another replica.",
  ],
  [
    "the slow replica is beyond the last",
    { SLOW_REPLICA: "3", REPLICAS: "2", STRAGGLER_MS: "100" },
    "SLOW_REPLICA=3 does not go with REPLICAS=2: there is no such replica.",
  ],
  [
    "the only replica is the slow one",
    { SLOW_REPLICA: "1", STRAGGLER_MS: "100" },
    "SLOW_REPLICA=1 does not go with REPLICAS=1: a slow replica is one among others; use LATENCY_MS.",
  ],
  [
    "the weak replica is beyond the last",
    { WEAK_REPLICA: "3", REPLICAS: "2" },
    "WEAK_REPLICA=3 does not go with REPLICAS=2: there is no such replica.",
  ],
  [
    "the only replica is the weak one",
    { WEAK_REPLICA: "1" },
    "WEAK_REPLICA=1 does not go with REPLICAS=1: a weak replica is one among others; use a lower CAPACITY.",
  ],
  [
    "the slow replica is as fast as the others",
    { SLOW_REPLICA: "1", REPLICAS: "2" },
    "SLOW_REPLICA=1 does not go with STRAGGLER_MS=0: it would not be slower than the others.",
  ],
  [
    "the timeline slows stragglers that there are none of",
    { FAULT_TIMELINE: "at 5s straggler 300", REPLICAS: "2" },
    "FAULT_TIMELINE makes stragglers slower, which does not go with STRAGGLER_SHARE=0 and SLOW_REPLICA=off: there are none. Set one of the two.",
  ],
  [
    "a closed loop is to arrive at random",
    { LOAD: "closed", ARRIVALS: "poisson" },
    "LOAD=closed does not go with ARRIVALS=poisson: a closed loop waits for answers and has no schedule.",
  ],
  [
    "a closed loop has a profile",
    { LOAD: "closed", RATE_PROFILE: "at 5s rate 120" },
    'LOAD=closed does not go with RATE_PROFILE="at 5s rate 120": a closed loop waits for answers and has no schedule.',
  ],
  [
    "a closed loop is to run in virtual time",
    { LOAD: "closed", WORLD: "virtual" },
    "LOAD=closed does not go with WORLD=virtual: the closed loop runs over HTTP only.",
  ],
  [
    "the run would fill the disk",
    { RATE: "100000", DURATION_S: "86400" },
    "RATE=100000 does not go with DURATION_S=86400: a run has at most 10000000 requests.",
  ],
  [
    "a fault comes after the end",
    { FAULT_TIMELINE: "at 2s capacity 10; at 20s capacity 90", DURATION_S: "20" },
    "FAULT_TIMELINE has a step at 20s, which does not go with DURATION_S=20: the run is over by then.",
  ],
  [
    "the rate changes at the end",
    { RATE_PROFILE: "at 20s rate 90", DURATION_S: "20" },
    "RATE_PROFILE has a step at 20s, which does not go with DURATION_S=20: the run is over by then.",
  ],
  [
    "a ramp ends after the run",
    { RATE_PROFILE: "by 20.5s rate 90", DURATION_S: "20" },
    "RATE_PROFILE has a step at 20.5s, which does not go with DURATION_S=20: the run is over by then.",
  ],
];

describe("Two settings are refused together, once and by name, when", () => {
  for (const [why, env, message] of REFUSED) {
    test(why, () => assert.deepEqual(problemsOf(env), [message]));
  }
});

const ACCEPTED: readonly [why: string, env: Env][] = [
  ["a cap equals the base", { BACKOFF: "full", BACKOFF_BASE_MS: "50", BACKOFF_CAP_MS: "50" }],
  ["a cap is below the base of a backoff that does not grow", { BACKOFF: "fixed", BACKOFF_BASE_MS: "2000" }],
  ["a bucket starts full", { BUDGET: "token-bucket", BUDGET_START: "10", BUDGET_BURST: "10" }],
  ["a start above the burst belongs to a budget that is no bucket", { BUDGET: "window", BUDGET_START: "11" }],
  ["a floor is one retry in a window", { BUDGET: "decayed", BUDGET_MIN_PER_S: "0.2", BUDGET_WINDOW_S: "5" }],
  ["an attempt needs as much time as it has", { MIN_ATTEMPT_MS: "200" }],
  ["a ramp ends where the run does", { RATE_PROFILE: "by 20s rate 90" }],
  ["a closed loop has evenly spaced arrivals", { LOAD: "closed", ARRIVALS: "constant" }],
  ["a run is as long as it may be", { RATE: "1000", DURATION_S: "10000" }],
];

describe("Two settings are accepted together when", () => {
  for (const [why, env] of ACCEPTED) test(why, () => assert.deepEqual(problemsOf(env), []));
});
