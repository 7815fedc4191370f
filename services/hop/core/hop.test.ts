import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { chainBound } from "../../policy/amplification-bound.ts";
import type { RetryPolicy } from "../../policy/retry-policy.ts";
import { budgetWith, policyWith } from "../../policy/testdata/policies.ts";
import { createHop, type Hop } from "./hop.ts";
import type { HopReply } from "../../contract/request.ts";
import {
  always,
  FAILED,
  requestWith,
  sendTo,
  SILENT,
  upstream,
  type Script,
  type Upstream,
} from "../testdata/upstream.ts";

interface Chain {
  readonly clock: VirtualClock;
  readonly up: Upstream;
  readonly entry: Hop;
}

/** Hops from the client's side down, above a scripted backend. */
function chain(policies: readonly RetryPolicy[], script: Script): Chain {
  const clock = new VirtualClock();
  const up = upstream(clock, script);
  let send = up.send;
  let entry: Hop | undefined;
  for (const policy of policies.toReversed()) {
    entry = createHop({ policy, clock, send, rngFor: () => () => 0.5 });
    send = sendTo(entry);
  }
  assert.ok(entry !== undefined);
  return { clock, up, entry };
}

function callsOf(policies: readonly RetryPolicy[]): number {
  const { clock, up, entry } = chain(policies, always(FAILED));
  entry.handle(requestWith(), () => {});
  clock.runUntilIdle();
  return up.sent.length;
}

test("four attempts above three make twelve calls of one request, and four where one hop owns the retries", () => {
  const [four, three] = [policyWith({ maxAttempts: 4 }), policyWith({ maxAttempts: 3 })];
  assert.equal(callsOf([four, three]), 12);
  assert.equal(callsOf([four, { ...three, retryOwner: false }]), 4);
});

test("three layers of three attempts make 27 calls, four of four 256", () => {
  const layers = (n: number): RetryPolicy[] =>
    Array.from({ length: n }, () => policyWith({ maxAttempts: n, attemptTimeoutMs: Infinity }));
  assert.equal(callsOf(layers(3)), 27);
  assert.equal(callsOf(layers(4)), 256);
});

test("the attempt number that the backend sees is that of the hop just above it", () => {
  const policies = [policyWith({ maxAttempts: 2 }), policyWith({ maxAttempts: 3 })];
  const { clock, up, entry } = chain(policies, always(FAILED));
  entry.handle(requestWith(), () => {});
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.request.attempt),
    [1, 2, 3, 1, 2, 3],
  );
});

test("a hop whose budget is exhausted keeps the hop above it from asking again", () => {
  const api = policyWith({ budget: budgetWith({ ratio: 0 }) });
  const answers: HopReply[] = [];
  const { clock, up, entry } = chain([policyWith({}), api], always(FAILED));
  entry.handle(requestWith(), (reply) => void answers.push(reply));
  clock.runUntilIdle();
  assert.equal(up.sent.length, 1);
  assert.deepEqual([answers[0]?.stop, answers[0]?.doNotRetry], ["overloaded_upstream", true]);
});

test("what remains falls strictly at every hop, also through hops without a deadline of their own", () => {
  const policies = [policyWith({ deadlineMs: 150 }), policyWith({}), policyWith({}), policyWith({})];
  const { clock, up, entry } = chain(policies, always(SILENT));
  entry.handle(requestWith(), () => {});
  clock.runUntilIdle();
  assert.deepEqual(
    up.sent.map((each) => each.request.remainingMs),
    [146],
  );
});

test("a caller who leaves cancels the attempt at the far end of the chain at once", () => {
  const { clock, up, entry } = chain([policyWith({}), policyWith({}), policyWith({})], always(SILENT));
  const leave = entry.handle(requestWith(), () => assert.fail("nobody is there to be answered"));
  clock.runUntil(30);
  leave();
  assert.deepEqual([up.sent[0]?.cancelled, up.sent[0]?.endedAtMs], [true, 30]);
  clock.runUntilIdle();
  assert.deepEqual([up.sent.length, clock.now()], [1, 30]);
});

test("the measured amplification of a chain never exceeds the bound that is printed for it", () => {
  const hop = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    ratio: fc.double({ min: 0, max: 1, noNaN: true }),
    start: fc.nat(5),
    minPerSecond: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(hop, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 60 }), (hops, requests) => {
      const policies = hops.map(({ maxAttempts, ...budget }) =>
        policyWith({ maxAttempts, respectRetryOk: false, budget: budgetWith(budget) }),
      );
      const { clock, up, entry } = chain(policies, always(FAILED));
      for (let i = 0; i < requests; i += 1) {
        clock.after(i * 50, () => void entry.handle(requestWith({ id: `o${i}` }), () => {}));
      }
      clock.runUntilIdle();
      const bound = chainBound(policies, requests, clock.now() / 1000);
      assert.ok(up.sent.length / requests <= bound + 1e-6, `${up.sent.length / requests} above ${bound}`);
    }),
    { numRuns: 60 },
  );
});
