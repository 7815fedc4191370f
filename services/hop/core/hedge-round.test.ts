import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetWith, policyWith } from "../../policy/testdata/policies.ts";
import type { HedgePolicy, HedgeTrigger } from "../../policy/hedge/hedge.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { RetryPolicy } from "../../policy/retry-policy.ts";
import { counting, emptyHopCounts } from "./counts.ts";
import type { HopWatch } from "../../contract/request.ts";
import { bench, FAILED, OK, SILENT, type Script } from "../testdata/upstream.ts";

const AFTER_10: HedgePolicy = { trigger: { kind: "delay", delayMs: 10 }, ratio: 1 };
const SHED: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 1000 };
const WITHDRAWN: Reply = { outcome: "rejected", status: 409 };

/** The `n`-th call is answered by the `n`-th of these; later calls never. */
const script =
  (...answers: [reply: Reply | typeof SILENT, afterMs: number][]): Script =>
  (n) => ({ reply: answers[n]?.[0] ?? SILENT, afterMs: answers[n]?.[1] ?? 0 });

function hedging(answers: Script, changes: Partial<RetryPolicy> = {}, watch: HopWatch = {}) {
  const counts = emptyHopCounts();
  const policy = policyWith({ maxAttempts: 1, replicas: 2, hedge: AFTER_10, ...changes });
  const all = { ...counting(counts), ...watch };
  return { ...bench(policy, answers, all), counts };
}

test("a copy goes to the other replica after the delay, its answer wins, and the original is cancelled", () => {
  const { clock, up, answers, counts, ask } = hedging(script([SILENT, 0], [OK, 5]));
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ request, atMs, cancelled }) => [request.attempt, request.replica, atMs, cancelled]),
    [
      [1, 1, 0, true],
      [2, 2, 10, false],
    ],
  );
  assert.deepEqual([answers[0]?.atMs, answers[0]?.reply.outcome, answers[0]?.reply.attempts], [15, "ok", 2]);
  assert.deepEqual(counts.hedges, { sent: 1, won: 1, suppressed: 0, denied: 0 });
  assert.deepEqual([counts.attemptOutcomes.ok, counts.attemptOutcomes.cancelled], [1, 1]);
});

test("where the original answers first, the copy is cancelled and has not won", () => {
  const { clock, up, answers, counts, ask } = hedging(script([OK, 12], [OK, 50]));
  ask();
  clock.runUntilIdle();
  assert.deepEqual([up.sent[0]?.cancelled, up.sent[1]?.cancelled, answers[0]?.atMs], [false, true, 12]);
  assert.deepEqual([counts.hedges.sent, counts.hedges.won], [1, 0]);
});

test("an answer within the delay is the end of it: nothing more is sent", () => {
  const { clock, up, ask } = hedging(script([OK, 9]));
  ask();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 1);
});

test("a copy that fails waits for the other one, whichever it is", () => {
  for (const [first, second] of [
    [FAILED, OK],
    [OK, FAILED],
  ] as const) {
    const { clock, answers, ask } = hedging(script([first, 20], [second, 20]));
    ask();
    clock.runUntilIdle();
    assert.deepEqual([answers.length, answers[0]?.reply.outcome], [1, "ok"]);
  }
});

test("where both fail the round has failed once, and the retry begins a new round", () => {
  const twoRounds = { maxAttempts: 2 };
  const { clock, up, answers, counts, ask } = hedging(
    script([FAILED, 20], [FAILED, 20], [FAILED, 20], [FAILED, 20]),
    twoRounds,
  );
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ request, atMs }) => [request.attempt, atMs]),
    [
      [1, 0],
      [2, 10],
      [3, 40],
    ],
    "one request earns one copy, however many rounds it has",
  );
  assert.deepEqual([answers.length, answers[0]?.reply.stop], [1, "attempts_exhausted"]);
  assert.deepEqual([counts.hedges.sent, counts.hedges.denied], [1, 1]);
});

test("a denied copy never touches its original", () => {
  const denied = { hedge: { ...AFTER_10, ratio: 0 } };
  const { clock, up, answers, counts, ask } = hedging(script([OK, 50]), denied);
  ask();
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, up.sent[0]?.cancelled, answers[0]?.atMs], [1, false, 50]);
  assert.deepEqual(counts.hedges, { sent: 0, won: 0, suppressed: 0, denied: 1 });
});

test("a copy is suppressed after a shed reply to anybody, and its original goes on", () => {
  const { clock, up, answers, counts, ask } = hedging(script([SHED, 1], [OK, 50]));
  ask({ id: "other" });
  clock.runUntil(5);
  ask();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 2);
  assert.deepEqual([answers[1]?.reply.outcome, answers[1]?.atMs, counts.hedges.suppressed], ["ok", 55, 1]);
});

test("a copy is suppressed while the breaker is open", () => {
  const breaker = { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 1000, probes: 1 } as const;
  const { clock, up, counts, ask } = hedging(script([OK, 50], [FAILED, 1]), { breaker });
  ask();
  ask({ id: "fails" });
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, counts.hedges.suppressed], [2, 1]);
});

test("a write is never copied, whether it has a key or not", () => {
  for (const idempotencyKey of [undefined, "k"]) {
    const { clock, up, ask } = hedging(script([OK, 50]));
    ask({ method: "POST", idempotencyKey });
    clock.runUntilIdle();
    assert.equal(up.sent.length, 1);
  }
});

test("with one replica nothing is copied, and nothing says which replica is meant", () => {
  const { clock, up, ask } = hedging(script([OK, 50]), { replicas: 1 });
  ask();
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, up.sent[0]?.request.replica], [1, undefined]);
});

test("the timeout is the round's: it ends both copies, and the copy is told what then remains", () => {
  const { clock, up, answers, ask } = hedging(script(), { attemptTimeoutMs: 100, deadlineMs: 5000 });
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ cancelled, endedAtMs, request }) => [cancelled, endedAtMs, request.remainingMs]),
    [
      [true, 100, 99],
      [true, 100, 89],
    ],
  );
  assert.deepEqual([answers[0]?.reply.outcome, answers[0]?.atMs], ["timeout", 100]);
});

test("a caller who leaves takes both copies along, and nothing is left to happen", () => {
  const { clock, up, answers, ask } = hedging(script());
  const leave = ask();
  clock.runUntil(12);
  leave();
  assert.deepEqual([up.sent[0]?.cancelled, up.sent[1]?.cancelled, clock.pending], [true, true, 0]);
  clock.runUntilIdle();
  assert.deepEqual(answers, []);
});

test("the quantile hedges nobody before enough answers have come, and the slow one after that", () => {
  const trigger: HedgeTrigger = { kind: "quantile", quantile: 0.95 };
  const slowOne: Script = (n) => (n === 5 || n === 40 ? { reply: OK, afterMs: 500 } : { reply: OK, afterMs: 8 });
  const { clock, up, answers, ask } = hedging(slowOne, {
    hedge: { trigger, ratio: 1 },
    attemptTimeoutMs: 1000,
  });
  for (let n = 0; n < 50; n += 1) {
    ask({ id: `o${n}` });
    clock.runUntilIdle();
  }
  assert.equal(up.sent.length, 51);
  const took = (id: number): number => (answers[id]?.atMs ?? 0) - (answers[id - 1]?.atMs ?? 0);
  assert.equal(took(5), 500);
  assert.ok(took(40) < 20, `${took(40)}`);
});

test("tied copies go out at once, both with the number of the first, and a withdrawn one is no answer", () => {
  const tied = { hedge: { trigger: { kind: "tied" }, ratio: 1 } } as const;
  const { clock, up, answers, ask } = hedging(script([WITHDRAWN, 1], [OK, 8]), tied);
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ request, atMs }) => [request.attempt, request.replica, request.tied, atMs]),
    [
      [1, 1, 1, 0],
      [2, 2, 1, 0],
    ],
  );
  assert.deepEqual([answers[0]?.reply.outcome, answers[0]?.atMs], ["ok", 8]);
});

test("where the tied copy that was served fails, its failure counts, in whatever order the two words come", () => {
  const tied = { hedge: { trigger: { kind: "tied" }, ratio: 1 } } as const;
  for (const withdrawnAt of [1, 20]) {
    const { clock, answers, ask } = hedging(script([WITHDRAWN, withdrawnAt], [FAILED, 8]), tied);
    ask();
    clock.runUntilIdle();
    assert.deepEqual([answers.length, answers[0]?.reply.status], [1, 500]);
  }
});

test("all sends together stay within attempts and hedge budget", () => {
  const { clock, up, ask } = hedging(script(), {
    maxAttempts: 3,
    hedge: { ...AFTER_10, ratio: 0.25 },
    budget: budgetWith({ kind: "none" }),
  });
  for (let n = 0; n < 100; n += 1) ask({ id: `o${n}` });
  clock.runUntilIdle();
  // The bucket of copies holds ten: what the hundred requests of one moment earn beyond that is lost.
  assert.equal(up.sent.length, 300 + 10);
});
