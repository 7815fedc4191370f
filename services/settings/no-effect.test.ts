import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Layer } from "./layers.ts";
import { ConfigError, readLayers, readValues } from "./values.ts";

type Settings = Readonly<Record<string, string>>;

const dotenv = (settings: Settings): Layer => ({ kind: "file", settings, where: (name) => `.env ${name}` });
const policy = (settings: Settings): Layer => ({ kind: "file", settings, where: (name) => `policy ${name}` });
const typed = (settings: Settings): Layer => ({ kind: "typed", settings });

function problemsOf(...layers: Layer[]): readonly string[] {
  try {
    readLayers(layers);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** Each idle setting beside what makes it idle by default. */
const IDLE: readonly [settings: Settings, message: string][] = [
  [{ BUDGET_RATIO: "0.5" }, "BUDGET_RATIO=0.5 has no effect with BUDGET=none: it needs a budget."],
  [
    { BUDGET_MIN_PER_S: "1" },
    "BUDGET_MIN_PER_S=1 has no effect with BUDGET=none: it needs token-bucket, success, window or decayed.",
  ],
  [{ BUDGET_BURST: "5" }, "BUDGET_BURST=5 has no effect with BUDGET=none: it needs token-bucket, success or failures."],
  [{ BUDGET_START: "5" }, "BUDGET_START=5 has no effect with BUDGET=none: it needs token-bucket, success or failures."],
  [{ BUDGET_COST: "5" }, "BUDGET_COST=5 has no effect with BUDGET=none: it needs success."],
  [
    { BUDGET_WINDOW_S: "5" },
    "BUDGET_WINDOW_S=5 has no effect with BUDGET=none: it needs window, decayed or concurrent-window.",
  ],
  [{ BACKOFF_CAP_MS: "50" }, "BACKOFF_CAP_MS=50 has no effect with BACKOFF=fixed: it needs a backoff that grows."],
  [
    { BACKOFF: "none", BACKOFF_BASE_MS: "50" },
    "BACKOFF_BASE_MS=50 has no effect with BACKOFF=none: it needs a backoff.",
  ],
  [{ OVERLOAD_RETRY: "1" }, "OVERLOAD_RETRY=1 has no effect with RESPECT_RETRY_AFTER=0: it needs 1."],
  [{ BREAKER_FAILURES: "2" }, "BREAKER_FAILURES=2 has no effect with BREAKER=none: it needs consecutive."],
  [{ BREAKER_SHARE: "0.2" }, "BREAKER_SHARE=0.2 has no effect with BREAKER=none: it needs rate."],
  [{ BREAKER_MIN_CALLS: "2" }, "BREAKER_MIN_CALLS=2 has no effect with BREAKER=none: it needs rate."],
  [{ BREAKER_WINDOW_S: "2" }, "BREAKER_WINDOW_S=2 has no effect with BREAKER=none: it needs rate."],
  [{ BREAKER_COOL_OFF_MS: "2" }, "BREAKER_COOL_OFF_MS=2 has no effect with BREAKER=none: it needs a breaker."],
  [{ BREAKER_PROBES: "2" }, "BREAKER_PROBES=2 has no effect with BREAKER=none: it needs a breaker."],
  [{ ADMISSION_LIMIT: "5" }, "ADMISSION_LIMIT=5 has no effect with ADMISSION=off: it needs fixed."],
  [{ ADMISSION_QUEUE: "5" }, "ADMISSION_QUEUE=5 has no effect with ADMISSION=off: it needs a limit."],
  [{ ADMISSION_RETRY_AFTER_S: "5" }, "ADMISSION_RETRY_AFTER_S=5 has no effect with ADMISSION=off: it needs a limit."],
  [
    { ADMISSION: "aimd", ADMISSION_ORDER: "lifo" },
    "ADMISSION_ORDER=lifo has no effect with ADMISSION_QUEUE=0: it needs a queue.",
  ],
  [
    { ADMISSION: "aimd", ADMISSION_CODEL: "1" },
    "ADMISSION_CODEL=1 has no effect with ADMISSION_QUEUE=0: it needs a queue.",
  ],
  [{ SHED_RETRY_AFTER_S: "2" }, "SHED_RETRY_AFTER_S=2 has no effect with QUEUE_LIMIT=off: it needs a limit."],
  [{ IDEMPOTENCY_KEYS: "0" }, "IDEMPOTENCY_KEYS=0 has no effect with WRITE_SHARE=0: it needs writes."],
  [{ DEDUP_TTL_S: "5" }, "DEDUP_TTL_S=5 has no effect with DEDUP=off: it needs remembered keys."],
  [{ STRAGGLER_MS: "5" }, "STRAGGLER_MS=5 has no effect with STRAGGLER_SHARE=0: it needs stragglers."],
  [
    { WEAK_REPLICA_SHARE: "0.2" },
    "WEAK_REPLICA_SHARE=0.2 has no effect with WEAK_REPLICA=off: it needs a weak replica.",
  ],
  [{ STRAGGLER_SHARE: "0.1" }, "STRAGGLER_SHARE=0.1 has no effect with STRAGGLER_MS=0: it needs some delay."],
  [
    { WORLD: "process", ONE_WAY_MS: "2" },
    "ONE_WAY_MS=2 has no effect with WORLD=process: it needs virtual: over HTTP the latency is the network's own.",
  ],
  [{ CLOSED_CONNECTIONS: "5" }, "CLOSED_CONNECTIONS=5 has no effect with LOAD=open: it needs closed."],
];

describe("A setting without effect is a fault that names what makes it idle:", () => {
  for (const [settings, message] of IDLE) {
    test(message, () => {
      assert.deepEqual(problemsOf(typed(settings)), [message]);
      const [inFile = ""] = problemsOf(policy(settings));
      assert.ok(inFile.startsWith(message) && inFile.includes(": policy "), inFile);
    });
  }
});

test("A setting is not idle when one hop heeds it", () => {
  assert.deepEqual(problemsOf(typed({ BUDGET_RATIO: "0.5", EDGE_BUDGET: "token-bucket" })), []);
  assert.deepEqual(problemsOf(typed({ BACKOFF_CAP_MS: "50", API_BACKOFF: "full" })), []);
});

test("What stragglers take longer is not idle where a replica is slow, or where the timeline sets it", () => {
  const slow = { REPLICAS: "2", SLOW_REPLICA: "2" };
  assert.deepEqual(problemsOf(typed({ ...slow, STRAGGLER_MS: "300" })), []);
  const timeline = { FAULT_TIMELINE: "at 5s straggler 300; at 9s straggler 0" };
  assert.deepEqual(problemsOf(typed({ ...slow, ...timeline })), []);
  assert.deepEqual(problemsOf(typed({ STRAGGLER_SHARE: "0.1", ...timeline })), []);
});

test("What a shed call is told is not idle where something else than a limit of the queue sheds", () => {
  for (const sheds of [{ CODEL: "1" }, { CONCURRENCY_LIMIT: "aimd" }, { CONCURRENCY_LIMIT: "gradient" }]) {
    assert.deepEqual(problemsOf(typed({ SHED_RETRY_AFTER_S: "2", ...sheds })), []);
  }
});

test("The base of a backoff is not idle where it spreads those who come back when they were asked to", () => {
  const later = { BACKOFF: "none", BACKOFF_BASE_MS: "50", RESPECT_RETRY_AFTER: "1", OVERLOAD_RETRY: "1" };
  assert.deepEqual(problemsOf(typed(later)), []);
  const { OVERLOAD_RETRY, ...never } = later;
  assert.deepEqual(problemsOf(typed({ ...never, EDGE_OVERLOAD_RETRY: OVERLOAD_RETRY })), []);
  assert.equal(problemsOf(typed(never)).length, 1);
});

test("A hop's own setting is idle by what holds at that hop", () => {
  assert.deepEqual(problemsOf(typed({ BUDGET: "window", EDGE_BUDGET: "none", EDGE_BUDGET_RATIO: "0.5" })), [
    "EDGE_BUDGET_RATIO=0.5 has no effect with EDGE_BUDGET=none: it needs a budget.",
  ]);
});

test("What a policy leaves over when the command line switches its mechanism off is no fault", () => {
  const budgeted = policy({ BUDGET: "token-bucket", BUDGET_RATIO: "0.5", BUDGET_START: "3" });
  assert.deepEqual(problemsOf(budgeted, typed({ BUDGET: "none" })), []);
  assert.deepEqual(problemsOf(dotenv({ BUDGET_RATIO: "0.5" }), policy({ BUDGET: "none" })), []);
});

test("What the command line adds to a policy that has switched it off is a fault, and says where", () => {
  assert.deepEqual(problemsOf(policy({ BUDGET: "none" }), typed({ BUDGET_RATIO: "0.5" })), [
    "BUDGET_RATIO=0.5 has no effect with BUDGET=none: it needs a budget. [BUDGET: policy BUDGET]",
  ]);
});

test("Within one file, a setting beside what makes it idle is a fault", () => {
  const [problem = ""] = problemsOf(policy({ BUDGET: "none", BUDGET_RATIO: "0.5" }));
  assert.match(problem, /^BUDGET_RATIO=0\.5 has no effect with BUDGET=none/);
});

test("The full settings of a run, typed as one command, are accepted", () => {
  const runs: Settings[] = [
    {},
    {
      BUDGET: "token-bucket",
      BUDGET_RATIO: "0.5",
      BACKOFF: "full",
      QUEUE_LIMIT: "15",
      EDGE_RETRY_OWNER: "0",
    },
  ];
  runs.push({ EDGE_MAX_ATTEMPTS: "2", API_MAX_ATTEMPTS: "1", LOAD: "closed", CLOSED_CONNECTIONS: "4" });
  for (const run of runs) assert.deepEqual(problemsOf(typed(readValues(run).effective())), []);
  const policyFile = policy({ BUDGET: "token-bucket", BUDGET_RATIO: "0.5" });
  const without = readLayers([policyFile, typed({ BUDGET: "none" })]).effective();
  assert.deepEqual(problemsOf(policyFile, typed(without)), []);
});

test("The resolved settings of a process are never judged by their effect", () => {
  assert.equal(readValues({ BUDGET: "none", BUDGET_RATIO: "0.5" }).number("BUDGET_RATIO"), 0.5);
});

test("A setting for all hops that reaches none of them is a fault", () => {
  const own = policy({ EDGE_MAX_ATTEMPTS: "2", API_MAX_ATTEMPTS: "1" });
  const [problem = ""] = problemsOf(own, typed({ MAX_ATTEMPTS: "5" }));
  assert.ok(
    problem.startsWith(
      "MAX_ATTEMPTS=5 has no effect: each hop has its own (EDGE_MAX_ATTEMPTS=2, API_MAX_ATTEMPTS=1). Set those.",
    ),
    problem,
  );
  assert.deepEqual(problemsOf(policy({ EDGE_MAX_ATTEMPTS: "2" }), typed({ MAX_ATTEMPTS: "5" })), []);
});
