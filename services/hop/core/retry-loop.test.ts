import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { BACKOFF_KINDS } from "../../policy/backoff.ts";
import type { Outcome, Reply } from "../../policy/outcome.ts";
import { backoffWith, budgetWith, policyWith } from "../../policy/testdata/policies.ts";
import { createHop } from "./hop.ts";
import type { HopReply } from "../../contract/request.ts";
import { always, bench, FAILED, inTurn, OK, requestWith, SILENT } from "../testdata/upstream.ts";

/** What an answer leaves open unless the upstream said it. */
const UNSAID = { retryAfterMs: undefined, sent: undefined, body: undefined };

test("a call that succeeds at once is sent once and answered as it was", () => {
  const { clock, up, answers, ask } = bench(policyWith({}), always({ ...OK, body: "{}" }, 8));
  ask();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 1);
  assert.deepEqual(answers, [
    {
      atMs: 8,
      reply: {
        ...UNSAID,
        outcome: "ok",
        status: 200,
        body: "{}",
        doNotRetry: false,
        stop: "success",
        attempts: 1,
      },
    },
  ]);
});

// Case 17 of docs/cases.md.
test("a failing call is tried as often as the policy says, and each attempt carries its number", () => {
  const { clock, up, answers, ask } = bench(policyWith({ maxAttempts: 4 }), always(FAILED));
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.request.attempt),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    up.sent.map((each) => each.atMs),
    [0, 11, 22, 33],
  );
  assert.equal(answers[0]?.reply.stop, "attempts_exhausted");
  assert.equal(answers[0]?.reply.status, 500);
});

// Case 8 of docs/cases.md.
test("the first retry comes after the base, the second after twice the base", () => {
  const backoff = backoffWith({ kind: "exponential", baseMs: 100 });
  const { clock, up, ask } = bench(policyWith({ backoff }), always(FAILED, 0));
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.atMs),
    [0, 100, 300],
  );
});

// Case 8 of docs/cases.md.
test("a lost connection is a failure, is tried again, and is answered with 502 at the end", () => {
  const lost: Reply = { outcome: "failed", status: 0, sent: false };
  const { clock, up, answers, ask } = bench(policyWith({}), always(lost));
  ask();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 3);
  assert.equal(answers[0]?.reply.outcome, "failed");
  assert.equal(answers[0]?.reply.status, 502);
});

test("an attempt that takes too long is cancelled, and the next one begins after the backoff", () => {
  const { clock, up, answers, ask } = bench(policyWith({ maxAttempts: 2 }), always(SILENT));
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.cancelled),
    [true, true],
  );
  assert.deepEqual(
    up.sent.map((each) => each.atMs),
    [0, 210],
  );
  assert.deepEqual([answers[0]?.atMs, answers[0]?.reply.outcome, answers[0]?.reply.status], [410, "timeout", 504]);
});

test("an answer that comes after its attempt was given up changes nothing", () => {
  const late: ((reply: Reply) => void)[] = [];
  const ended: Outcome[] = [];
  const clock = new VirtualClock();
  const answers: HopReply[] = [];
  const hop = createHop({
    policy: policyWith({ maxAttempts: 2 }),
    clock,
    rngFor: () => () => 0,
    send(_request, done) {
      late.push(done);
      return () => {};
    },
    watch: { attemptEnded: (_sent, reply) => void ended.push(reply.outcome) },
  });
  hop.handle(requestWith(), (reply) => void answers.push(reply));
  clock.runUntil(205);
  late[0]?.(OK);
  assert.deepEqual([answers.length, ended], [0, ["timeout"]], "during the backoff");
  clock.runUntil(215);
  late[0]?.(OK);
  assert.deepEqual([answers.length, ended], [0, ["timeout"]], "during the next attempt");
  late[1]?.(OK);
  late[1]?.(OK);
  assert.deepEqual([answers.length, ended], [1, ["timeout", "ok"]], "each attempt ends once");
});

test("a write without a key is sent once, one with a key keeps it through all attempts", () => {
  const without = bench(policyWith({}), always(FAILED));
  without.ask({ method: "POST" });
  without.clock.runUntilIdle();
  assert.equal(without.up.sent.length, 1);
  assert.equal(without.answers[0]?.reply.stop, "not_replayable");
  const withKey = bench(policyWith({}), always(FAILED));
  withKey.ask({ method: "POST", idempotencyKey: "k1" });
  withKey.clock.runUntilIdle();
  assert.deepEqual(
    withKey.up.sent.map((each) => each.request.idempotencyKey),
    ["k1", "k1", "k1"],
  );
});

test("a request that arrives expired is answered with 504 and does no work", () => {
  for (const remainingMs of [0, -5]) {
    const { clock, up, answers, ask } = bench(policyWith({ budget: budgetWith({ ratio: 1 }) }), always(OK));
    ask({ remainingMs });
    clock.runUntilIdle();
    assert.equal(up.sent.length, 0);
    assert.deepEqual(answers, [
      {
        atMs: 0,
        reply: {
          ...UNSAID,
          outcome: "deadline",
          status: 504,
          doNotRetry: true,
          stop: "deadline_too_near",
          attempts: 0,
        },
      },
    ]);
  }
});

test("a request with too little time for a useful attempt does no work either", () => {
  const { clock, up, ask } = bench(policyWith({ minAttemptMs: 5 }), always(OK));
  ask({ remainingMs: 5 });
  clock.runUntilIdle();
  assert.equal(up.sent.length, 0);
  ask({ remainingMs: 6 });
  clock.runUntilIdle();
  assert.equal(up.sent.length, 1);
});

// Case 20 of docs/cases.md.
test("a hop without a deadline of its own honours the incoming one and passes on less", () => {
  const { clock, up, answers, ask } = bench(policyWith({ maxAttempts: 10 }), always(SILENT));
  ask({ remainingMs: 500 });
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.request.remainingMs),
    [199, 199, 79],
  );
  assert.deepEqual([answers[0]?.atMs, answers[0]?.reply.outcome], [500, "deadline"]);
});

test("a hop with no deadline anywhere passes none on", () => {
  const { clock, up, ask } = bench(policyWith({}), always(OK));
  ask();
  clock.runUntilIdle();
  assert.equal(up.sent[0]?.request.remainingMs, undefined);
});

test("a caller who leaves during an attempt cancels it, and nothing more is begun", () => {
  const ended: Outcome[] = [];
  const watch = { attemptEnded: (_: unknown, reply: Reply) => void ended.push(reply.outcome) };
  const { clock, up, answers, ask } = bench(policyWith({}), always(OK, 50), watch);
  const leave = ask();
  clock.runUntil(20);
  leave();
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, up.sent[0]?.cancelled, up.sent[0]?.endedAtMs], [1, true, 20]);
  assert.deepEqual(ended, ["cancelled"], "the attempt ends once, as cancelled");
  assert.equal(answers.length, 0, "nobody is there to be answered");
  assert.equal(clock.now(), 20, "no timer was left behind");
});

test("a caller who leaves during the backoff ends the wait", () => {
  const { clock, up, answers, ask } = bench(policyWith({ backoff: backoffWith({ baseMs: 500 }) }), always(FAILED));
  const leave = ask();
  clock.runUntil(100);
  leave();
  leave();
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, answers.length, clock.pending, clock.now()], [1, 0, 0, 100]);
});

test("leaving after the answer does nothing", () => {
  const outcomes: Outcome[] = [];
  const watch = { ended: (_: unknown, outcome: Outcome) => void outcomes.push(outcome) };
  const { clock, answers, ask } = bench(policyWith({}), always(OK), watch);
  const leave = ask();
  clock.runUntilIdle();
  leave();
  assert.deepEqual([answers.length, outcomes], [1, ["ok"]]);
});

test("a caller who is still there is answered even where the transport says that the attempt was cancelled", () => {
  const { clock, answers, ask } = bench(policyWith({}), always({ outcome: "cancelled", status: 0 }));
  ask();
  clock.runUntilIdle();
  assert.equal(answers[0]?.reply.status, 502);
});

test("where no further attempt fits the deadline, the caller is told what the callee said last, and why nobody asked again", () => {
  const shed: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 1000 };
  const cases: readonly [last: Reply, outcome: Outcome, status: number][] = [
    [FAILED, "failed", 500],
    [shed, "overloaded", 503],
    [{ outcome: "failed", status: 0, sent: false }, "failed", 502],
  ];
  for (const [last, outcome, status] of cases) {
    const policy = policyWith({
      deadlineMs: 600,
      overloadRetry: true,
      backoff: backoffWith({ baseMs: 600 }),
    });
    const run = bench(policy, always(last));
    run.ask();
    run.clock.runUntilIdle();
    const { atMs, reply } = run.answers[0] ?? assert.fail("no answer");
    assert.deepEqual([reply.outcome, reply.status, reply.stop], [outcome, status, "deadline_too_near"]);
    assert.equal(reply.retryAfterMs, last.retryAfterMs);
    assert.ok(atMs < 10, "nobody waits for a deadline that no attempt can meet");
  }
});

test("409 to a write with a key is no fault of the caller's: it is asked again, and no breaker opens on it", () => {
  const inProgress: Reply = { outcome: "rejected", status: 409 };
  const breaker = { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 1000, probes: 1 } as const;
  const run = bench(policyWith({ breaker }), (n) => ({ reply: n < 2 ? inProgress : OK, afterMs: 1 }));
  run.ask({ method: "POST", idempotencyKey: "k" });
  run.clock.runUntilIdle();
  assert.deepEqual([run.up.sent.length, run.answers[0]?.reply.outcome], [3, "ok"]);
  const never = bench(policyWith({ breaker }), always(inProgress));
  never.ask({ method: "POST", idempotencyKey: "k" });
  never.ask({ method: "GET" });
  never.ask({ method: "POST" });
  never.clock.runUntilIdle();
  assert.equal(never.hop.breakerState(), "closed");
  const ends = never.answers.map(({ reply }) => `${reply.outcome}, ${reply.stop}`).toSorted();
  assert.deepEqual(ends, ["failed, attempts_exhausted", "rejected, not_retryable", "rejected, not_retryable"]);
});

test("exhaustion travels up: an exhausted budget, a shed and a near deadline forbid retries above", () => {
  const shed: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 1000 };
  const cases = [
    {
      run: bench(policyWith({ budget: budgetWith({ ratio: 0 }) }), always(FAILED)),
      stop: "budget_exhausted",
    },
    { run: bench(policyWith({}), always(shed)), stop: "overloaded_upstream" },
    { run: bench(policyWith({ deadlineMs: 5 }), always(FAILED)), stop: "deadline_too_near" },
  ];
  for (const { run, stop } of cases) {
    run.ask();
    run.clock.runUntilIdle();
    assert.deepEqual([run.answers[0]?.reply.stop, run.answers[0]?.reply.doNotRetry], [stop, true]);
  }
});

test("Retry-After: 0 is handed on as 0, not as absent", () => {
  const shed: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 0 };
  const { clock, answers, ask } = bench(policyWith({}), always(shed));
  ask();
  clock.runUntilIdle();
  assert.equal(answers[0]?.reply.retryAfterMs, 0);
});

test("a budget deposit is made once for each request, not for its attempts, and none for a request that did no work", () => {
  const budget = budgetWith({ ratio: 0.25, burst: 100, start: 2 });
  const { clock, hop, ask } = bench(policyWith({ budget }), always(FAILED));
  ask();
  clock.runUntilIdle();
  assert.equal(hop.budgetBalance(), 0.25);
  ask({ remainingMs: 0 });
  assert.equal(hop.budgetBalance(), 0.25);
});

// Case 5 of docs/cases.md.
test("whatever the upstream does, nothing begins after the deadline and the answer is there by the deadline", () => {
  const replies = fc.constantFrom<Reply | typeof SILENT>(
    OK,
    FAILED,
    SILENT,
    { outcome: "overloaded", status: 503, retryAfterMs: 40 },
    { outcome: "overloaded", status: 503, retryAfterMs: 1e15 },
    { outcome: "failed", status: 0, sent: false },
  );
  const step = fc.record({ reply: replies, afterMs: fc.nat(300) });
  const policies = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 10 }),
    attemptTimeoutMs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 400 })),
    deadlineMs: fc.integer({ min: 1, max: 1500 }),
    minAttemptMs: fc.nat(20),
    overloadRetry: fc.boolean(),
    kind: fc.constantFrom(...BACKOFF_KINDS),
  });
  fc.assert(
    fc.property(
      policies,
      fc.array(step, { minLength: 1, maxLength: 10 }),
      fc.option(fc.nat(1500)),
      (p, steps, left) => {
        const policy = policyWith({ ...p, backoff: backoffWith({ kind: p.kind, baseMs: 20 }) });
        const script = (n: number) => steps[n % steps.length] ?? { reply: SILENT, afterMs: 0 };
        const { clock, up, answers, ask } = bench(policy, script);
        ask(left === null ? {} : { remainingMs: left });
        clock.runUntilIdle();
        const deadline = Math.min(p.deadlineMs, left ?? Infinity);
        assert.equal(answers.length, 1);
        assert.ok((answers[0]?.atMs ?? Infinity) <= deadline + 1e-6, `answered at ${answers[0]?.atMs}`);
        assert.ok(up.sent.every((each) => each.atMs < deadline && (each.endedAtMs ?? Infinity) <= deadline + 1e-6));
        assert.ok(up.sent.length <= p.maxAttempts);
        assert.ok(up.mostAtOnce <= 1, `${up.mostAtOnce} attempts alive at once`);
        assert.equal(clock.pending, 0);
      },
    ),
  );
});

test("the answer tells how the last attempt ended, not the first", () => {
  const { clock, answers, ask } = bench(policyWith({}), inTurn([FAILED, { outcome: "rejected", status: 404 }]));
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    [answers[0]?.reply.status, answers[0]?.reply.stop, answers[0]?.reply.attempts],
    [404, "not_retryable", 2],
  );
});

test("a hop that does not follow its caller goes on, and retries, in vain", () => {
  const policy = policyWith({ followCaller: false });
  const { clock, up, hop } = bench(policy, always(FAILED, 50));
  const leave = hop.handle(requestWith(), () => {});
  clock.runUntil(20);
  leave();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 3);
  assert.deepEqual(
    up.sent.map(({ cancelled }) => cancelled),
    [false, false, false],
  );
});

test("a hop that keeps its deadline to itself still answers by it", () => {
  const policy = policyWith({ deadlineMs: 300, passDeadline: false });
  const { clock, up, answers, ask } = bench(policy, always(SILENT));
  ask();
  clock.runUntilIdle();
  assert.deepEqual([...new Set(up.sent.map(({ request }) => request.remainingMs))], [undefined]);
  assert.equal(answers[0]?.atMs, 300);
  assert.equal(answers[0]?.reply.outcome, "deadline");
});
