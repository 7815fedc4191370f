/** Second copies in a chain of one hop and a backend with replicas: what they buy, what they cost, when they don't help. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClientRecord } from "../../../../loadgen/core/record.ts";
import type { BackendConfig } from "../../../../services/backend/core/model.ts";
import type { HedgePolicy } from "../../../../services/policy/hedge/hedge.ts";
import type { RetryPolicy } from "../../../../services/policy/retry-policy.ts";
import { ONE_WAY_MS, type VirtualResult } from "./run.ts";
import { BACKEND, constantArrivals, NAIVE, quantileOf, runAndRecord } from "../testdata/reference.ts";

interface Setting {
  readonly hedge?: HedgePolicy;
  readonly policy?: Partial<RetryPolicy>;
  readonly backend?: Partial<BackendConfig>;
  readonly rate?: number;
  readonly seconds?: number;
}

/** Far from its capacity, without errors, two replicas, one call in a hundred a second slower. */
const STRAGGLING: BackendConfig = {
  ...BACKEND,
  capacity: 1000,
  errorRate: 0,
  replicas: 2,
  stragglerShare: 0.01,
  stragglerMs: 1000,
  leaveOnDisconnect: true,
};

const AT_P95: HedgePolicy = { trigger: { kind: "quantile", quantile: 0.95 }, ratio: 0.05 };
const TIED: HedgePolicy = { trigger: { kind: "tied" }, ratio: 1 };

interface Run {
  readonly result: VirtualResult;
  readonly records: readonly ClientRecord[];
  /** Milliseconds, 99.9th percentile. */
  readonly p999: number;
  /** Backend calls for each request. */
  readonly cost: number;
  readonly hedges: Readonly<Record<"sent" | "won" | "suppressed" | "denied", number>>;
}

function runWith({ hedge, policy, backend, rate = 100, seconds = 100 }: Setting): Run {
  const { replicas = 1 } = { ...STRAGGLING, ...backend };
  const own: RetryPolicy = { ...NAIVE, maxAttempts: 1, attemptTimeoutMs: Infinity, replicas, ...policy };
  const { result, records } = runAndRecord({
    seed: 1,
    hops: [{ name: "api", policy: hedge === undefined ? own : { ...own, hedge } }],
    backend: { ...STRAGGLING, ...backend },
    oneWayMs: ONE_WAY_MS,
    connections: 1024,
    clientConnections: 4096,
    arrivals: constantArrivals(rate, seconds),
    durationMs: seconds * 1000,
    clientTimeoutMs: Infinity,
    drainMs: 60_000,
  });
  const latencies = records.map(({ latencyMs }) => latencyMs);
  const [hop] = result.hops;
  assert.ok(hop !== undefined);
  assert.equal(hop.attempts - hop.unsent, result.backend.arrivals, "the tiers reconcile");
  const cost = result.backend.arrivals / records.length;
  return { result, records, p999: quantileOf(latencies, 0.999), cost, hedges: hop.hedges };
}

describe("Hedging at the 95th percentile", () => {
  test("cuts p99.9 of random stragglers by ten times or more, for at most 6 % more calls", () => {
    const [without, hedged] = [runWith({}), runWith({ hedge: AT_P95 })];
    assert.ok(without.p999 > 1000, `${without.p999}`);
    assert.ok(hedged.p999 * 10 <= without.p999, `${hedged.p999} ms against ${without.p999} ms`);
    assert.ok(hedged.cost <= 1.06, `${hedged.cost}`);
    assert.equal(without.cost, 1);
    assert.ok(hedged.hedges.won > 50);
  });

  test("does nothing against orders that are slow at every replica, and still costs its calls", () => {
    const backend = { stragglersBy: "order" } as const;
    const [without, hedged] = [runWith({ backend }), runWith({ hedge: AT_P95, backend })];
    assert.equal(hedged.p999, without.p999);
    assert.ok(hedged.hedges.sent > 50 && hedged.hedges.won === 0, JSON.stringify(hedged.hedges));
  });

  test("does nothing where all replicas are slow: then slow is what is usual", () => {
    const backend = { stragglerShare: 1 };
    const [without, hedged] = [runWith({ backend }), runWith({ hedge: AT_P95, backend })];
    assert.equal(hedged.p999, without.p999);
    assert.equal(hedged.hedges.won, 0);
  });

  test("is bounded by its ratio against one slow replica of two, where half of the calls would need a copy", () => {
    const backend = { stragglerShare: 0, slowReplica: 1 };
    const hedged = runWith({ hedge: AT_P95, backend });
    assert.ok(hedged.cost <= 1.05);
    const generous: HedgePolicy = { trigger: { kind: "delay", delayMs: 20 }, ratio: 1 };
    const escaped = runWith({ hedge: generous, backend });
    assert.ok(escaped.p999 < 40, `${escaped.p999}`);
    assert.equal(escaped.hedges.won, escaped.records.length / 2);
    assert.equal(escaped.cost, 1.5);
  });

  test("is suppressed while the backend sheds, and adds no load to what has too much", () => {
    const backend = { capacity: 50, queueLimit: 10 };
    const fixed: HedgePolicy = { trigger: { kind: "delay", delayMs: 20 }, ratio: 1 };
    const overloaded = { backend, rate: 200, seconds: 20 };
    const [without, hedged] = [runWith(overloaded), runWith({ ...overloaded, hedge: fixed })];
    assert.ok(without.result.backend.shed > 1000);
    const { suppressed, sent } = hedged.hedges;
    assert.ok(suppressed > 100 && sent < 50, JSON.stringify(hedged.hedges));
    assert.ok(hedged.cost < 1.02, `${hedged.cost}`);
  });
});

test("The delay decides: a copy after 20 ms catches every straggler, one after two seconds none", () => {
  const after = (delayMs: number): Run =>
    runWith({ hedge: { trigger: { kind: "delay", delayMs }, ratio: 0.05 }, seconds: 20 });
  const [soon, late] = [after(20), after(2000)];
  assert.equal(soon.hedges.won, soon.hedges.sent);
  assert.ok(soon.hedges.sent > 10);
  assert.equal(late.hedges.sent, 0);
  assert.ok(late.p999 > 1000 && soon.p999 < 100);
});

test("The quantile decides: at the median about half of the calls of uneven speed are copied, at p99 hardly any", () => {
  const at = (share: number): Run =>
    runWith({
      hedge: { trigger: { kind: "quantile", quantile: share }, ratio: 1 },
      backend: { stragglerShare: 0.3, stragglerMs: 100 },
      seconds: 20,
    });
  assert.ok(at(0.5).cost > 1.25);
  assert.ok(at(0.99).cost < 1.05);
});

describe("Tied requests", () => {
  test("do the work of each read once, although two copies of it go out", () => {
    const { result, records, cost } = runWith({ hedge: TIED, backend: { stragglerShare: 0 }, seconds: 10 });
    assert.equal(cost, 2);
    assert.ok(records.every(({ outcome }) => outcome === "ok"));
    const { ok, left, wasted } = result.backend;
    assert.deepEqual([ok, left, wasted], [1000, 1000, 0]);
  });

  test("are both served where the word from one replica to the other takes longer than the wait", () => {
    const { result } = runWith({ hedge: TIED, backend: { stragglerShare: 0, tieCancelMs: 5 }, seconds: 10 });
    assert.deepEqual([result.backend.ok, result.backend.left], [2000, 0]);
  });

  test("are only as many as the ratio allows", () => {
    const { cost, hedges } = runWith({ hedge: { ...TIED, ratio: 0.25 }, seconds: 10 });
    assert.equal(cost, 1.25);
    assert.deepEqual([hedges.sent, hedges.denied], [250, 750]);
  });
});

/** Case 10: "overloaded" is the word of one replica. */
describe("A shed reply of one replica", () => {
  const LISTENING: Partial<RetryPolicy> = { maxAttempts: 3, respectRetryAfter: true, respectRetryOk: true };
  /** Replica 1 is a second slow with every call, so its limit shrinks to almost nothing and it sheds. */
  const hotOne: Partial<BackendConfig> = {
    replicas: 3,
    stragglerShare: 0,
    slowReplica: 1,
    concurrencyLimit: "aimd",
  };

  // Case 10 of docs/cases.md.
  test("is answered by another replica at once, where one of three is hot", () => {
    const { result, records } = runWith({ policy: LISTENING, backend: hotOne });
    assert.ok(result.backend.shed > 500, `${result.backend.shed}`);
    assert.ok(records.every(({ outcome }) => outcome === "ok"));
    const retried = records.filter(({ attempts = 0 }) => attempts > 1);
    assert.equal(retried.length, result.backend.shed);
    assert.ok(
      retried.every(({ latencyMs }) => latencyMs < 15),
      "there and back twice, and 8 ms of work",
    );
  });

  // Case 10 of docs/cases.md.
  test("is the end where all replicas are hot: overloaded_upstream, and no storm from replica to replica", () => {
    const backend = { replicas: 3, stragglerShare: 0, capacity: 30, queueLimit: 3 };
    const { result, cost } = runWith({ policy: LISTENING, backend, seconds: 20 });
    assert.ok((result.hops[0]?.stopReasons.overloaded_upstream ?? 0) > 1000);
    assert.ok(cost < 1.1, `${cost}`);
    const deaf = runWith({ policy: { maxAttempts: 3 }, backend, seconds: 20 });
    assert.ok(deaf.cost > 2, `${deaf.cost}`);
  });
});
