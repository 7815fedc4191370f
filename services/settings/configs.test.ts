/** Each setting arrives where it has its effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS, problemsOf as faultProblems } from "../contract/faults.ts";
import { backendConfigOf } from "../backend/config.ts";
import { retryPolicyOf } from "../hop/config.ts";
import { serviceConfigOf } from "../http/service-config.ts";
import { KNOBS } from "./knobs/knobs.ts";
import { readValues } from "./values.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a row of the table becomes; a field that is none of these, and that no test names, belongs to no policy. */
const OF_A_KNOB = new Set<unknown>(KNOBS.map((knob) => knob.field));

const areFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The policy has these fields, at any depth, and beyond them only such as a knob of the table becomes. */
function has(policy: object, fields: Fields): void {
  const real = policy as Fields;
  const strangers = Object.keys(real).filter((name) => !(name in fields) && !OF_A_KNOB.has(name));
  assert.deepEqual(strangers, []);
  for (const [name, wanted] of Object.entries(fields)) {
    const found = real[name];
    if (areFields(found) && areFields(wanted)) has(found, wanted);
    else assert.deepEqual(found, wanted, name);
  }
}

const NO_DEFENCE = { breaker: undefined, admission: undefined, hedge: undefined, replicas: undefined };

test("By default a hop has the naive policy: three attempts, 10 ms apart, and no defence", () => {
  const values = readValues({});
  const budget = {
    kind: "none",
    ratio: 0.2,
    burst: 10,
    start: 0,
    minPerSecond: 0,
    cost: 1,
    windowMs: 10_000,
  };
  const naive = {
    maxAttempts: 3,
    attemptTimeoutMs: 200,
    backoff: { kind: "fixed", baseMs: 10, capMs: 1000 },
    deadlineMs: Infinity,
    minAttemptMs: 0,
    passDeadline: true,
    followCaller: true,
    retryOwner: true,
    respectRetryOk: false,
    respectRetryAfter: false,
    overloadRetry: false,
    retryOn: ["connect", "reset", "timeout", "5xx", "429"],
  };
  const [edge, api] = ["edge", "api"].map((hop) => retryPolicyOf(values, hop));
  assert.ok(edge && api);
  has(api, { ...naive, ...NO_DEFENCE, budget });
  has(edge, { ...naive, ...NO_DEFENCE, budget, attemptTimeoutMs: 700 });
});

test("Every knob of a policy reaches the hop that it is set for, and no other", () => {
  const values = readValues({
    API_MAX_ATTEMPTS: "5",
    API_ATTEMPT_TIMEOUT_MS: "off",
    API_BACKOFF: "decorrelated",
    API_BACKOFF_BASE_MS: "20",
    API_BACKOFF_CAP_MS: "300",
    API_DEADLINE_MS: "1100",
    API_MIN_ATTEMPT_MS: "15",
    API_BUDGET: "success",
    API_BUDGET_RATIO: "0.6",
    API_BUDGET_BURST: "7",
    API_BUDGET_START: "2.5",
    API_BUDGET_MIN_PER_S: "0.5",
    API_BUDGET_COST: "3",
    API_BUDGET_WINDOW_S: "4",
    API_RETRY_ON: "Connect, 503",
    API_RETRY_OWNER: "0",
    API_RESPECT_RETRY_OK: "1",
    API_RESPECT_RETRY_AFTER: "1",
    API_OVERLOAD_RETRY: "1",
  });
  const api = retryPolicyOf(values, "api");
  has(api, {
    maxAttempts: 5,
    attemptTimeoutMs: Infinity,
    backoff: { kind: "decorrelated", baseMs: 20, capMs: 300 },
    deadlineMs: 1100,
    minAttemptMs: 15,
    passDeadline: true,
    followCaller: true,
    retryOn: ["connect", "503"],
    retryOwner: false,
    respectRetryOk: true,
    respectRetryAfter: true,
    overloadRetry: true,
    ...NO_DEFENCE,
    budget: { kind: "success", ratio: 0.6, burst: 7, start: 2.5, minPerSecond: 0.5, cost: 3, windowMs: 4000 },
  });
  assert.deepEqual(retryPolicyOf(values, "edge"), retryPolicyOf(readValues({}), "edge"));
});

test("A breaker is there when a rule is chosen, with that rule's numbers", () => {
  const numbers = {
    BREAKER_FAILURES: "4",
    BREAKER_SHARE: "0.3",
    BREAKER_MIN_CALLS: "12",
    BREAKER_WINDOW_S: "2",
    BREAKER_COOL_OFF_MS: "500",
    BREAKER_PROBES: "2",
  };
  const breakerFor = (kind: string) => retryPolicyOf(readValues({ ...numbers, BREAKER: kind }), "api").breaker;
  assert.equal(breakerFor("none"), undefined);
  assert.deepEqual(breakerFor("consecutive"), {
    rule: { kind: "consecutive", failures: 4 },
    coolOffMs: 500,
    probes: 2,
  });
  assert.deepEqual(breakerFor("rate"), {
    rule: { kind: "rate", share: 0.3, minCalls: 12, windowMs: 2000 },
    coolOffMs: 500,
    probes: 2,
  });
});

test("The backend's knobs reach the backend", () => {
  const { capacityBurst, queueLimit } = backendConfigOf(readValues({}));
  assert.deepEqual([capacityBurst, queueLimit], [undefined, Infinity]);
  const config = backendConfigOf(
    readValues({
      CAPACITY: "120.5",
      CAPACITY_BURST: "4",
      LATENCY_MS: "12",
      ERROR_RATE: "0.25",
      QUEUE_LIMIT: "15",
      SHED_RETRY_AFTER_S: "2",
      SHED_AS: "throttled",
      DROP_EXPIRED: "1",
      LEAVE_ON_DISCONNECT: "true",
      FAULT_TIMELINE: "at 5s capacity 90 error 0.4; at 15s latency 3",
    }),
  );
  const { capacity, latencyMs, errorRate, shedRetryAfterS, dropExpired, leaveOnDisconnect, timeline } = config;
  assert.deepEqual(
    [capacity, config.capacityBurst, latencyMs, errorRate, config.queueLimit, shedRetryAfterS],
    [120.5, 4, 12, 0.25, 15, 2],
  );
  assert.deepEqual([dropExpired, leaveOnDisconnect], [true, true]);
  assert.deepEqual(timeline, [
    { atMs: 5000, change: { capacity: 90, errorRate: 0.4 } },
    { atMs: 15_000, change: { latencyMs: 3 } },
  ]);
});

test("The ranges of the backend's knobs are those that it accepts while it runs", () => {
  for (const { knob: name, key } of FAULTS) {
    for (const text of ["-1", "0", "0.0005", "0.001", "1", "1.5", "100000", "100001", "600000", "600001"]) {
      let isKnobFine = true;
      try {
        readValues({ [name]: text });
      } catch {
        isKnobFine = false;
      }
      assert.equal(faultProblems({ [key]: Number(text) }).length === 0, isKnobFine, `${name}=${text}`);
    }
  }
});

test("A service is told where to listen, whom to call and how much to say", () => {
  assert.deepEqual(serviceConfigOf(readValues({})), {
    host: "127.0.0.1",
    port: 0,
    logLevel: "warn",
    upstreamUrl: "",
    upstreamConnections: 256,
    seed: 1,
    storeUrl: "",
    storeTimeoutMs: 50,
  });
  const env = {
    HOST: "::1",
    PORT: "8080",
    LOG_LEVEL: "debug",
    UPSTREAM_URL: "http://api:8080",
    UPSTREAM_CONNECTIONS: "64",
    SEED: "9",
    BUDGET_STORE_URL: "redis://10.0.0.1:7000",
    BUDGET_STORE_TIMEOUT_MS: "20",
  };
  assert.deepEqual(serviceConfigOf(readValues(env)), {
    host: "::1",
    port: 8080,
    logLevel: "debug",
    upstreamUrl: "http://api:8080",
    upstreamConnections: 64,
    seed: 9,
    storeUrl: "redis://10.0.0.1:7000",
    storeTimeoutMs: 20,
  });
});

test("Only the hop that calls the backend chooses among its replicas and hedges", () => {
  const hedged = { REPLICAS: "3", HEDGE: "quantile", HEDGE_QUANTILE: "0.9", HEDGE_RATIO: "0.1" };
  const values = readValues(hedged);
  const { replicas, hedge } = retryPolicyOf(values, "api");
  assert.deepEqual([replicas, hedge], [3, { trigger: { kind: "quantile", quantile: 0.9 }, ratio: 0.1 }]);
  const edge = retryPolicyOf(values, "edge");
  assert.deepEqual([edge.replicas, edge.hedge], [undefined, undefined]);
  const delayed = retryPolicyOf(readValues({ REPLICAS: "2", API_HEDGE: "delay", HEDGE_DELAY_MS: "25" }), "api");
  assert.deepEqual(delayed.hedge?.trigger, { kind: "delay", delayMs: 25 });
  const tied = retryPolicyOf(readValues({ REPLICAS: "2", HEDGE: "tied", TIERS: "gateway" }), "gateway");
  assert.deepEqual(tied.hedge?.trigger, { kind: "tied" });
});

test("The backend has the replicas, the slow one and the stragglers that were asked for", () => {
  const settings = { REPLICAS: "2", SLOW_REPLICA: "2", STRAGGLER_MS: "500", STRAGGLERS_BY: "order" };
  const config = backendConfigOf(readValues({ ...settings, TIE_CANCEL_MS: "4" }));
  const { replicas, slowReplica, stragglerMs, stragglersBy, tieCancelMs } = config;
  assert.deepEqual([replicas, slowReplica, stragglerMs, stragglersBy, tieCancelMs], [2, 2, 500, "order", 4]);
  assert.equal(backendConfigOf(readValues({})).slowReplica, undefined);
  const weak = backendConfigOf(readValues({ REPLICAS: "2", WEAK_REPLICA: "1", WEAK_REPLICA_SHARE: "0.4" }));
  assert.deepEqual([weak.weakReplica, weak.weakShare], [1, 0.4]);
});
