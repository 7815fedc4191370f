import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClientRecord } from "../../../../loadgen/core/record.ts";
import type { RetryPolicy } from "../../../../services/policy/retry-policy.ts";
import { ONE_WAY_MS, type VirtualConfig } from "./run.ts";
import {
  BACKEND,
  constantArrivals,
  NAIVE,
  referenceConfig,
  runAndRecord,
  type SettingName,
} from "../testdata/reference.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

const successOf = (records: readonly ClientRecord[]): number =>
  records.filter(({ outcome }) => outcome === "ok").length / records.length;

/** Medians over the seeds of what the reference run of `name` gives. */
function mediansOf(name: SettingName) {
  const runs = SEEDS.map((seed) => runAndRecord(referenceConfig(name, seed)));
  const latencies = runs.map(({ records }) => records.map(({ latencyMs }) => latencyMs));
  return {
    success: median(runs.map(({ records }) => successOf(records))),
    amplification: median(runs.map(({ result, records }) => result.backend.arrivals / records.length)),
    p50: median(latencies.map((of) => quantile(of, 0.5))),
    p99: median(latencies.map((of) => quantile(of, 0.99))),
  };
}

const within = (what: string, value: number, low: number, high: number): void => {
  assert.ok(value >= low && value <= high, `${what} is ${value}, not in ${low} to ${high}`);
};

test("the naive policy ends in the storm that was published", () => {
  const { success, amplification, p50, p99 } = mediansOf("naive");
  within("success", success, 0.08, 0.28);
  within("amplification", amplification, 6.95, 8.45);
  within("p50", p50, 1800, 2000);
  within("p99", p99, 1800, 2000);
});

test("the budgeted policy keeps the amplification near its budget, and most requests succeed", () => {
  const { success, amplification, p50, p99 } = mediansOf("budgeted");
  within("success", success, 0.845, 0.885);
  within("amplification", amplification, 1.4, 1.5);
  within("p50", p50, 8, 30);
  within("p99", p99, 100, 430);
});

test("one retry owner reaches nearly what is physically possible", () => {
  const { success, amplification, p99 } = mediansOf("owner");
  within("success", success, 0.88, 0.91);
  within("amplification", amplification, 1.45, 1.5);
  within("p99", p99, 100, 200);
});

test("the same seed gives the same records and counts, and another seed gives others", () => {
  for (const name of ["naive", "budgeted", "owner"] as const) {
    const [first, again, other] = [1, 1, 2].map((seed) => JSON.stringify(runAndRecord(referenceConfig(name, seed, 5))));
    assert.equal(first, again);
    assert.notEqual(first, other);
  }
});

test("a request takes as long as its way and its work", () => {
  const config = { ...referenceConfig("naive", 1), backend: { ...BACKEND, errorRate: 0 } };
  const { records } = runAndRecord({ ...config, arrivals: constantArrivals(1, 3) });
  const expected = BACKEND.latencyMs + 6 * ONE_WAY_MS;
  assert.deepEqual(
    records.map(({ n, intendedMs, latencyMs, outcome, status, attempts, stop }) => {
      return { n, intendedMs, latencyMs, outcome, status, attempts, stop };
    }),
    [0, 1, 2].map((n) => ({
      n,
      intendedMs: n * 1000,
      latencyMs: Math.round(expected * 1000) / 1000,
      outcome: "ok",
      status: 200,
      attempts: 1,
      stop: "success",
    })),
  );
});

test("a client that gives up records a timeout, and what it set off below is cancelled", () => {
  const slow = { ...BACKEND, errorRate: 0, latencyMs: 150 };
  const config = { ...referenceConfig("naive", 1), backend: slow, clientTimeoutMs: 100 };
  const { records, result } = runAndRecord({ ...config, arrivals: constantArrivals(1, 2) });
  assert.deepEqual(
    records.map(({ outcome, status, latencyMs }) => ({ outcome, status, latencyMs })),
    [0, 1].map(() => ({ outcome: "timeout", status: 0, latencyMs: 100 })),
  );
  assert.deepEqual(
    result.hops.map(({ outcomes, attempts }) => [outcomes.cancelled, attempts]),
    [
      [2, 2],
      [2, 2],
    ],
  );
  assert.equal(result.backend.wasted, 2);
});

test("a run that is not over when the patience ends says so", () => {
  const config = { ...referenceConfig("naive", 1), backend: { ...BACKEND, latencyMs: 5000 } };
  const patient: RetryPolicy = { ...NAIVE, attemptTimeoutMs: Infinity };
  const hops = [{ name: "edge", policy: patient }];
  const { result } = runAndRecord({ ...config, hops, drainMs: 100, arrivals: constantArrivals(1, 20) });
  assert.ok(result.underWay > 0);
  assert.ok(result.backendInFlight > 0);
});

test("a chain without hops is the backend alone", () => {
  const { result, records } = runAndRecord({ ...referenceConfig("naive", 1), hops: [] });
  assert.equal(result.backend.arrivals, records.length);
  within("success", successOf(records), 0.55, 0.65);
});

const anyPolicy: fc.Arbitrary<RetryPolicy> = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 4 }),
  attemptTimeoutMs: fc.constantFrom(20, 200, Infinity),
  backoff: fc.record({
    kind: fc.constantFrom("none", "fixed", "full", "decorrelated"),
    baseMs: fc.constantFrom(0, 10),
    capMs: fc.constant(100),
  }),
  budget: fc.record({
    kind: fc.constantFrom("none", "token-bucket"),
    ratio: fc.constantFrom(0, 0.2, 1),
    burst: fc.constant(10),
    start: fc.constantFrom(0, 10),
    minPerSecond: fc.constantFrom(0, 1),
  }),
  deadlineMs: fc.constantFrom(50, 1100, Infinity),
  minAttemptMs: fc.constantFrom(0, 5),
  retryOwner: fc.boolean(),
  respectRetryOk: fc.boolean(),
  respectRetryAfter: fc.boolean(),
  overloadRetry: fc.boolean(),
});

const anyConfig: fc.Arbitrary<VirtualConfig> = fc
  .record({
    seed: fc.integer(),
    policies: fc.array(anyPolicy, { maxLength: 3 }),
    queueLimit: fc.constantFrom(0, 5, Infinity),
    flags: fc.tuple(fc.boolean(), fc.boolean()),
    connections: fc.constantFrom(2, 256),
    clientTimeoutMs: fc.constantFrom(100, Infinity),
  })
  .map(({ seed, policies, queueLimit, flags: [dropExpired, leaveOnDisconnect], connections, clientTimeoutMs }) => ({
    ...referenceConfig("naive", seed, 1),
    hops: policies.map((policy, i) => ({ name: `hop${i}`, policy })),
    backend: { ...BACKEND, queueLimit, dropExpired, leaveOnDisconnect },
    connections,
    clientTimeoutMs,
    drainMs: 1e9,
  }));

test("whatever the policies, every request is answered once, and what one tier sends arrives at the next", () => {
  fc.assert(
    fc.property(anyConfig, (config) => {
      const { result, records } = runAndRecord(config);
      assert.equal(result.underWay, 0);
      assert.equal(result.due, 60);
      assert.deepEqual(
        records.map(({ n }) => n).toSorted((a, b) => a - b),
        Array.from({ length: 60 }, (_, n) => n),
      );
      let sent = 60 - result.clientUnsent;
      for (const { arrivals, attempts, unsent, inFlight, attemptOutcomes, outcomes } of result.hops) {
        assert.equal(arrivals, sent);
        assert.equal(inFlight, 0);
        assert.equal(sum(outcomes), arrivals);
        assert.equal(sum(attemptOutcomes), attempts);
        sent = attempts - unsent;
      }
      assert.equal(result.backend.arrivals, sent);
    }),
  );
});

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

test("two policies meet the same random numbers: each order's first call ends alike", () => {
  const calm = { ...BACKEND, capacity: 10_000 };
  const firstCalls = (name: SettingName): Map<string, boolean> => {
    const once = { ...NAIVE, maxAttempts: name === "naive" ? 1 : 3 };
    const config = { ...referenceConfig(name, 5), backend: calm, hops: [{ name: "edge", policy: once }] };
    const { records } = runAndRecord(config);
    return new Map(records.map(({ id, outcome, attempts }) => [id, outcome === "ok" && attempts === 1]));
  };
  const single = firstCalls("naive");
  assert.ok([...single.values()].includes(false));
  const several = firstCalls("budgeted");
  for (const [id, wasGood] of single) assert.equal(several.get(id), wasGood, id);
});
