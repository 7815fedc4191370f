import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ClientRecord } from "../../loadgen/core/record.ts";
import { resolveEnvironment } from "../../services/settings/resolve.ts";
import { makeVirtual } from "../worlds/virtual/facts.ts";
import { TraceCollector } from "./collector.ts";
import { replay } from "./replay.ts";
import type { AttemptTrace, CallTrace } from "./trace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function settings(policy: string, explicit: Record<string, string>): Record<string, string> {
  const overrides = { explicit: { DURATION_S: "5", ...explicit }, ambient: {} };
  return resolveEnvironment({ root, policy, overrides }).env;
}

/** A backend that fails at once, always. */
const DEAD = { ERROR_RATE: "1", CAPACITY: "100000", RATE: "5" };

const numbers = (attempts: readonly AttemptTrace[]): number[] => attempts.map(({ number }) => number);

function callsOf(call: CallTrace): CallTrace[] {
  return [call, ...call.attempts.flatMap(({ below }) => (below === undefined ? [] : callsOf(below)))];
}

function traced(policy: string, explicit: Record<string, string>, id: string): CallTrace {
  return replay(settings(policy, explicit), id).root ?? assert.fail(`${id} is not in the run`);
}

// Case 17 of docs/cases.md.
test("three attempts at each of two hops are nine calls of one request, each under the attempt that made it", () => {
  const edge = traced("naive", DEAD, "s1-3");
  assert.deepEqual([edge.tier, edge.stop, numbers(edge.attempts)], ["edge", "attempts_exhausted", [1, 2, 3]]);
  for (const { below } of edge.attempts) {
    assert.deepEqual([below?.tier, below?.stop], ["api", "attempts_exhausted"]);
    assert.deepEqual(numbers(below?.attempts ?? []), [1, 2, 3]);
  }
  const atBackend = callsOf(edge).filter(({ tier }) => tier === "backend");
  assert.equal(atBackend.length, 9);
  for (const { outcome, status } of atBackend) assert.deepEqual([outcome, status], ["failed", 500]);
});

test("the attempts of the first hop are as many as the client's record says, whatever became of the request", () => {
  const env = settings("budgeted", {});
  for (const n of [0, 17, 60, 123, 250, 299]) {
    const { record, root: edge } = replay(env, `s1-${n}`);
    assert.equal(edge?.attempts.length, record?.attempts);
    assert.equal(edge?.stop, record?.stop);
    assert.equal(edge?.outcome, record?.outcome);
  }
});

test("between two attempts lies the wait that was decided", () => {
  const edge = traced("budgeted", { ...DEAD, BUDGET_RATIO: "1" }, "s1-20");
  const waits = callsOf(edge).flatMap(({ attempts }) =>
    attempts.slice(1).map((next, i) => {
      const before = attempts[i];
      return { decision: before?.decision, waited: next.beganMs - (before?.endedMs ?? Number.NaN) };
    }),
  );
  assert.ok(waits.length >= 2, `${waits.length} waits`);
  for (const { decision, waited } of waits) {
    assert.ok(decision?.retry === true && Math.abs(waited - decision.delayMs) < 1e-6);
  }
});

test("a caller who stops waiting is seen at the backend", () => {
  const edge = traced("naive", { LATENCY_MS: "500", ERROR_RATE: "0" }, "s1-0");
  const [first] = edge.attempts[0]?.below?.attempts ?? [];
  assert.equal(first?.outcome, "timeout");
  assert.equal(first?.below?.outcome, "left");
});

test("an attempt that finds no connection has nothing below it", () => {
  // The last attempts before the deadline may wait less long than those before them in the line.
  const crowded = { LATENCY_MS: "500", ERROR_RATE: "0", UPSTREAM_CONNECTIONS: "1", BUDGET_RATIO: "1" };
  const edge = traced("budgeted", crowded, "s1-40");
  const unsent = callsOf(edge).flatMap(({ attempts }) => attempts.filter(({ below }) => below === undefined));
  assert.deepEqual(
    unsent.map(({ hop, outcome }) => [hop, outcome]),
    [["edge", "deadline"]],
  );
});

test("a second copy is marked as one, and goes to another replica", () => {
  const hedging = {
    REPLICAS: "3",
    API_HEDGE: "delay",
    HEDGE_DELAY_MS: "1",
    HEDGE_RATIO: "1",
    ERROR_RATE: "0",
  };
  const api = callsOf(traced("naive", hedging, "s1-30")).find(({ tier }) => tier === "api");
  const [original, copy] = api?.attempts ?? [];
  assert.deepEqual([original?.isCopy, copy?.isCopy], [false, true]);
  assert.notEqual(original?.replica, copy?.replica);
});

test("of ten thousand attempts at one request the tree shows the first thousand, and how many it leaves out", () => {
  const many = { ...DEAD, TIERS: "front,gateway,edge,api", MAX_ATTEMPTS: "10", RATE: "1", DURATION_S: "1" };
  const patient = { ATTEMPT_TIMEOUT_MS: "600000", EDGE_ATTEMPT_TIMEOUT_MS: "600000", BACKOFF_BASE_MS: "0" };
  const quick = { LATENCY_MS: "0", CLIENT_TIMEOUT_MS: "600000", DRAIN_S: "600" };
  const { root: front, leftOut } = replay(settings("naive", { ...many, ...patient, ...quick }), "s1-0");
  const shown = callsOf(front ?? assert.fail("no trace")).flatMap(({ attempts }) => attempts).length;
  assert.deepEqual([shown, shown + leftOut], [1000, 10 + 100 + 1000 + 10_000]);
});

test("an id that is in no request gives no trace", () => {
  assert.deepEqual(replay(settings("naive", { DURATION_S: "1" }), "order-17"), { leftOut: 0 });
});

test("a run that is looked on at is the same run", () => {
  const run = (id?: string) => {
    const records: ClientRecord[] = [];
    const watch = id === undefined ? undefined : (now: () => number) => new TraceCollector(id, now);
    const made = makeVirtual({ ...settings("budgeted", {}), WORLD: "virtual" }, (each) => records.push(each), watch);
    while (made.run.advance());
    return { records, result: made.run.result() };
  };
  assert.deepEqual(run("s1-17"), run());
});
