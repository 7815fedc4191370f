import assert from "node:assert/strict";
import { test } from "node:test";
import type { BreakerPolicy } from "../../policy/breaker/breaker.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { RetryPolicy } from "../../policy/retry-policy.ts";
import { backoffWith, budgetWith, policyWith } from "../../policy/testdata/policies.ts";
import { createHop } from "./hop.ts";
import {
  always,
  bench,
  FAILED,
  OK,
  requestWith,
  sendTo,
  SILENT,
  type Bench,
  type Script,
} from "../testdata/upstream.ts";

const breaker: BreakerPolicy = { rule: { kind: "consecutive", failures: 3 }, coolOffMs: 1000, probes: 2 };
const SHED: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 100 };

function once(changes: Partial<RetryPolicy> = {}): RetryPolicy {
  return policyWith({ maxAttempts: 1, breaker, ...changes });
}

/** Fails until `recoversAtMs`, then answers. */
const failsUntil =
  (run: () => Bench, recoversAtMs: number): Script =>
  () => ({
    reply: run().clock.now() < recoversAtMs ? FAILED : OK,
    afterMs: 1,
  });

/** Asks `n` times, `everyMs` apart, from now on. */
function askEvery(run: Bench, n: number, everyMs: number): void {
  for (let i = 0; i < n; i += 1) {
    run.ask({ id: `o${i}` });
    run.clock.runUntil(run.clock.now() + everyMs);
  }
}

test("an open breaker answers at once with 503, says when to return, and keeps those above from retrying", () => {
  const run = bench(once(), always(FAILED));
  askEvery(run, 4, 10);
  assert.equal(run.up.sent.length, 3);
  assert.equal(run.hop.breakerState(), "open");
  const { atMs, reply } = run.answers[3] ?? assert.fail("no fourth answer");
  assert.deepEqual(
    [atMs, reply.status, reply.outcome, reply.stop, reply.doNotRetry, reply.attempts],
    [30, 503, "overloaded", "breaker_open", true, 0],
  );
  assert.ok((reply.retryAfterMs ?? 0) >= 1000 - 9 && (reply.retryAfterMs ?? 0) < 1500);
});

test("a refused call pays nothing into the budget", () => {
  const run = bench(once({ budget: budgetWith({ ratio: 1, burst: 100 }) }), always(FAILED));
  askEvery(run, 10, 10);
  assert.equal(run.hop.budgetBalance(), 3);
});

// Case 11 of docs/cases.md.
test("after the cool-off exactly as many probes go out as the policy says, whoever else asks fails fast", () => {
  const run = bench(once(), always(SILENT));
  askEvery(run, 3, 200);
  run.clock.runUntil(2200);
  const before = run.up.sent.length;
  for (let i = 0; i < 50; i += 1) run.ask();
  assert.equal(run.up.sent.length - before, 2);
  assert.equal(run.hop.breakerState(), "half-open");
  assert.equal(run.answers.length, 3 + 48);
});

test("a callee that has recovered is found by the probes, and served again in full", () => {
  const run: Bench = bench(
    once(),
    failsUntil(() => run, 500),
  );
  askEvery(run, 400, 10);
  assert.equal(run.hop.breakerState(), "closed");
  assert.ok(run.up.sent.length < 400, "the outage was spared some calls");
  assert.ok(run.answers.slice(-200).every(({ reply }) => reply.outcome === "ok"));
});

test("a dead callee sees the probes of each cool-off and nothing else", () => {
  const run = bench(once(), always(FAILED));
  askEvery(run, 1000, 10);
  assert.ok(run.up.sent.length >= 3 + 6 && run.up.sent.length <= 3 + 2 * 10, `${run.up.sent.length} calls in 10 s`);
});

// Case 12 of docs/cases.md.
test("shed replies never open the breaker, bare 503s do", () => {
  const shed = bench(once(), always(SHED));
  askEvery(shed, 50, 10);
  assert.deepEqual([shed.hop.breakerState(), shed.up.sent.length], ["closed", 50]);
  const bare = bench(once(), always({ outcome: "overloaded", status: 503 }));
  askEvery(bare, 50, 10);
  assert.deepEqual([bare.hop.breakerState(), bare.up.sent.length], ["open", 3]);
});

test("a breaker that opens stops the retries of the calls that are under way, also those in their backoff", () => {
  const run = bench(policyWith({ maxAttempts: 5, breaker, backoff: backoffWith({ baseMs: 50 }) }), always(FAILED));
  for (let i = 0; i < 3; i += 1) {
    run.ask({ id: `o${i}` });
    run.clock.runUntil(run.clock.now() + 10);
  }
  run.clock.runUntil(500);
  assert.equal(run.up.sent.length, 3);
  assert.deepEqual(
    run.answers.map(({ reply }) => [reply.stop, reply.status, reply.doNotRetry]),
    [
      ["breaker_open", 500, true],
      ["breaker_open", 500, true],
      ["breaker_open", 500, true],
    ],
  );
});

test("a retry is never a probe", () => {
  const run = bench(policyWith({ maxAttempts: 2, breaker, backoff: backoffWith({ baseMs: 2000 }) }), always(FAILED));
  for (let i = 0; i < 2; i += 1) run.ask({ id: `o${i}` });
  run.clock.runUntil(500);
  run.ask({ id: "third" });
  run.clock.runUntil(4000);
  assert.equal(run.up.sent.length, 3, "the backoffs end after the cool-off, and nothing is sent");
  assert.equal(run.answers.length, 3);
});

test("a probe whose caller leaves frees its place", () => {
  const run = bench(once({ attemptTimeoutMs: 100 }), always(SILENT));
  askEvery(run, 3, 200);
  run.clock.runUntil(2200);
  const leave = run.ask();
  run.ask();
  const before = run.up.sent.length;
  run.ask();
  assert.equal(run.up.sent.length, before, "both places are taken");
  leave();
  run.ask();
  assert.equal(run.up.sent.length, before + 1);
});

test("the breaker of a hop above does not open because the one below is open", () => {
  const below = bench(once(), always(FAILED));
  const answers: string[] = [];
  const above = createHop({
    policy: once({ breaker: { ...breaker, rule: { kind: "consecutive", failures: 5 } } }),
    clock: below.clock,
    send: sendTo(below.hop),
    rngFor: () => () => 0,
  });
  for (let i = 0; i < 20; i += 1) {
    above.handle(requestWith(), ({ stop }) => void answers.push(stop));
    below.clock.runUntil(below.clock.now() + 10);
  }
  assert.deepEqual([below.hop.breakerState(), above.breakerState()], ["open", "closed"]);
  assert.equal(answers.length, 20);
});

test("by rate, a callee that fails four times in ten opens a breaker of 30 % and not one of 60 %", () => {
  const fourInTen: Script = (n) => ({ reply: n % 5 < 2 ? FAILED : OK, afterMs: 1 });
  const stateAt = (share: number) => {
    const rule = { kind: "rate", share, minCalls: 20, windowMs: 1000 } as const;
    const run = bench(once({ breaker: { ...breaker, rule, coolOffMs: 60_000 } }), fourInTen);
    askEvery(run, 100, 10);
    return run.hop.breakerState();
  };
  assert.deepEqual([stateAt(0.3), stateAt(0.6)], ["open", "closed"]);
});
