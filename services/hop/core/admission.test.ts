import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AdmissionPolicy } from "../../policy/admission.ts";
import { policyWith } from "../../policy/testdata/policies.ts";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { Admission, type Applicant } from "./admission.ts";
import { counting, emptyHopCounts } from "./counts.ts";
import { always, bench, FAILED, OK, SILENT } from "../testdata/upstream.ts";

const admissionWith = (changes: Partial<AdmissionPolicy> = {}): AdmissionPolicy => ({
  kind: "fixed",
  limit: 2,
  queue: 0,
  order: "fifo",
  codel: false,
  retryAfterMs: 1000,
  ...changes,
});

const behind = (changes: Partial<AdmissionPolicy> = {}) => policyWith({ admission: admissionWith(changes) });

test("beyond the limit a request is shed at once: 503 with Retry-After, without an attempt, as no failure of the callee", () => {
  const { hop, up, answers, ask } = bench(behind(), always(SILENT));
  for (let i = 0; i < 3; i += 1) ask({ id: `o${i}` });
  assert.equal(up.sent.length, 2);
  assert.deepEqual(answers, [
    {
      atMs: 0,
      reply: {
        outcome: "overloaded",
        status: 503,
        retryAfterMs: 1000,
        doNotRetry: false,
        sent: undefined,
        body: undefined,
        stop: "shed",
        attempts: 0,
      },
    },
  ]);
  assert.equal(hop.waiting(), 0);
});

test("a place that becomes free goes to who waits, and the wait counts for the deadline", () => {
  const policy = { ...behind({ limit: 1, queue: 5 }), maxAttempts: 1, deadlineMs: 300 };
  const { clock, hop, answers, ask, up } = bench(policy, always(SILENT));
  for (let i = 0; i < 3; i += 1) ask({ id: `o${i}` });
  assert.equal(hop.waiting(), 2);
  clock.runUntilIdle();
  assert.deepEqual(
    answers.map(({ atMs, reply }) => [atMs, reply.outcome, reply.attempts]),
    [
      [200, "timeout", 1],
      [300, "deadline", 0],
      [300, "deadline", 1],
    ],
  );
  assert.equal(up.sent.length, 2, "whose deadline has passed in the queue is answered without an attempt");
});

test("who is never taken on is answered when its deadline passes, and waits no longer", () => {
  const counts = emptyHopCounts();
  const policy = {
    ...behind({ limit: 1, queue: 5, order: "lifo" }),
    maxAttempts: 1,
    deadlineMs: 100,
    attemptTimeoutMs: Infinity,
  };
  const { clock, hop, answers, ask } = bench({ ...policy, followCaller: false }, always(SILENT), counting(counts));
  ask({ id: "inside" });
  ask({ id: "waiting", remainingMs: 60 });
  clock.runUntil(60);
  assert.deepEqual(
    answers.map(({ atMs, reply }) => [atMs, reply.status, reply.stop, reply.attempts]),
    [[60, 504, "deadline_too_near", 0]],
  );
  assert.equal(hop.waiting(), 0);
  clock.runUntilIdle();
  assert.deepEqual([counts.arrivals, counts.inFlight, counts.outcomes.deadline], [2, 0, 2]);
});

test("a limit that learns from latency does not take the wait for itself for the callee's", () => {
  const taken = (queue: number): number => {
    const { clock, up, ask } = bench(behind({ kind: "aimd", limit: 1, queue }), always(OK, 60));
    for (let i = 0; i < 1000; i += 1) {
      clock.runUntil(i * 2);
      ask({ id: `o${i}` });
    }
    clock.runUntilIdle();
    return up.sent.length;
  };
  assert.ok(taken(100) >= taken(0), `${taken(100)} with a queue, ${taken(0)} without`);
});

test("throughput: more is taken on at once while that gets more done, as many as the callee can do with", () => {
  const { clock, hop, answers, ask } = bench(behind({ kind: "throughput", limit: 1, queue: 1000 }), always(OK, 100));
  for (let i = 0; i < 2000; i += 1) {
    clock.runUntil(i * 5);
    ask({ id: `o${i}` });
  }
  assert.ok(hop.waiting() < 20, `${hop.waiting()} wait`);
  clock.runUntilIdle();
  assert.equal(answers.filter(({ reply }) => reply.outcome === "ok").length, 2000);
});

test("who arrives in the very moment at which places become free does not pass those who wait", () => {
  const admission = new Admission(admissionWith({ kind: "aimd", queue: 10 }), new VirtualClock());
  const inside: string[] = [];
  const applicant = (name: string, begin = (): void => {}): Applicant => ({
    joinedAt: 0,
    attempt: 1,
    state: "waiting",
    begin: () => {
      inside.push(name);
      begin();
    },
    shed: () => assert.fail(name),
  });
  // The limit begins at 20, and one that ends quickly raises it by one: two places.
  const first = applicant("first");
  admission.arrive(first);
  for (let i = 0; i < 19; i += 1) admission.arrive(applicant("full"));
  admission.arrive(applicant("second", () => admission.arrive(applicant("fourth"))));
  admission.arrive(applicant("third"));
  admission.leave(first);
  assert.deepEqual([inside.slice(20), admission.waiting], [["second", "third"], 1]);
});

test("first tries come in before retries where the order says so", () => {
  const { clock, up, ask } = bench(behind({ limit: 1, queue: 5, order: "priority" }), always(OK, 10));
  ask({ id: "inside" });
  ask({ id: "retry", attempt: 2 });
  ask({ id: "first" });
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ request }) => request.id),
    ["inside", "first", "retry"],
  );
});

test("who leaves while waiting frees its place in the queue, and is counted as cancelled without an attempt", () => {
  const counts = emptyHopCounts();
  const { clock, up, answers, ask } = bench(behind({ limit: 1, queue: 1 }), always(OK, 10), counting(counts));
  ask({ id: "inside" });
  const leave = ask({ id: "gone" });
  leave();
  leave();
  ask({ id: "next" });
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map(({ request }) => request.id),
    ["inside", "next"],
  );
  assert.equal(answers.length, 2);
  assert.deepEqual([counts.arrivals, counts.inFlight, counts.outcomes.cancelled], [3, 0, 1]);
});

test("who leaves while inside lets the next one in at once, unless the hop does not follow its caller", () => {
  for (const followCaller of [true, false]) {
    const policy = { ...behind({ limit: 1, queue: 1 }), followCaller };
    const { up, ask } = bench(policy, always(SILENT));
    const leave = ask({ id: "inside" });
    ask({ id: "next" });
    leave();
    assert.equal(up.sent.length, followCaller ? 2 : 1);
  }
});

test("CoDel sheds from a queue that stands, and not from one that only bursts", () => {
  const shedOf = (waves: number): number => {
    const counts = emptyHopCounts();
    const policy = behind({ limit: 1, queue: 1000, codel: true });
    const { clock, ask } = bench(policy, always(OK, 10), counting(counts));
    for (let i = 0; i < waves * 10; i += 1) {
      clock.runUntil(i * 5);
      ask({ id: `o${i}` });
    }
    clock.runUntilIdle();
    assert.equal(counts.arrivals, waves * 10);
    assert.equal(counts.outcomes.ok + counts.stopReasons.shed, counts.arrivals);
    return counts.stopReasons.shed;
  };
  assert.equal(shedOf(1), 0);
  assert.ok(shedOf(20) > 5, String(shedOf(20)));
});

test("a limit that learns falls while answers are slow, so that less is taken on", () => {
  const taken = (afterMs: number): number => {
    const { clock, up, ask } = bench(behind({ kind: "aimd", limit: 1 }), always(FAILED, afterMs));
    for (let i = 0; i < 400; i += 1) {
      clock.runUntil(i * 5);
      ask({ id: `o${i}` });
    }
    clock.runUntilIdle();
    return up.sent.filter(({ request }) => request.attempt === 1).length;
  };
  assert.equal(taken(5), 400);
  assert.ok(taken(150) < 250, String(taken(150)));
});

test("ten thousand who waited too long are answered in one go, and not each within the other", () => {
  const policy = { ...behind({ limit: 1, queue: 10_000 }), deadlineMs: 100 };
  const { clock, answers, ask } = bench(policy, always(SILENT));
  for (let i = 0; i < 10_001; i += 1) ask({ id: `o${i}` });
  clock.runUntilIdle();
  assert.equal(answers.length, 10_001);
});

test("whatever comes and goes, no more are inside than the limit, no more wait than there is room, and each is answered once", () => {
  const event = fc.record({
    waitMs: fc.nat(30),
    what: fc.constantFrom("ask", "ask", "ask", "leave"),
    which: fc.nat(50),
  });
  const order = fc.constantFrom("fifo" as const, "lifo" as const, "priority" as const);
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 150, size: "max" }),
      fc.nat(3),
      fc.nat(4),
      order,
      fc.boolean(),
      (events, more, queue, byOrder, codel) => {
        const counts = emptyHopCounts();
        const limit = 1 + more;
        const policy = behind({ limit, queue, order: byOrder, codel });
        const { clock, hop, answers, ask } = bench(policy, always(FAILED, 7), counting(counts));
        const leaves: (() => void)[] = [];
        for (const { waitMs, what, which } of events) {
          clock.runUntil(clock.now() + waitMs);
          if (what === "ask") leaves.push(ask({ id: `o${leaves.length}`, attempt: 1 + (which % 2) }));
          else if (leaves.length > 0) leaves[which % leaves.length]?.();
          assert.ok(hop.waiting() <= queue);
          assert.ok(counts.inFlight - hop.waiting() <= limit);
        }
        clock.runUntilIdle();
        assert.equal(hop.waiting(), 0);
        assert.equal(counts.inFlight, 0);
        assert.equal(answers.length + counts.outcomes.cancelled, counts.arrivals);
      },
    ),
  );
});
