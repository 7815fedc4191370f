import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attemptLimitMs, deadlineAt, remainingForCallee } from "./deadline.ts";

test("a hop takes the nearer of its own deadline and the one that it was given", () => {
  assert.equal(deadlineAt(100, 1100, 300), 400);
  assert.equal(deadlineAt(100, 200, 300), 300);
  assert.equal(deadlineAt(100, 200, undefined), 300);
});

// Case 20 of docs/cases.md.
test("a hop without a deadline of its own honours the one that it was given", () => {
  assert.equal(deadlineAt(100, Infinity, 300), 400);
  assert.equal(remainingForCallee(attemptLimitMs(100, 400, Infinity), 400), 299);
});

test("where nobody sets a deadline there is none, and a bare attempt timeout is not passed on as one", () => {
  assert.equal(deadlineAt(100, Infinity, undefined), Infinity);
  assert.equal(attemptLimitMs(100, Infinity, 200), 200);
  assert.equal(remainingForCallee(200, Infinity), undefined);
});

// Case 6 of docs/cases.md.
test("an attempt may take the lesser of its timeout and what remains", () => {
  assert.equal(attemptLimitMs(0, 1100, 200), 200);
  assert.equal(attemptLimitMs(1000, 1100, 200), 100);
  assert.equal(attemptLimitMs(1200, 1100, 200), -100);
});

test("what remains falls strictly at every hop until nothing is left, however fast the hops are", () => {
  const hop = fc.record({
    ownMs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 5000 })),
    timeoutMs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 5000 })),
    tookMs: fc.double({ min: 0, max: 50, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.array(hop, { minLength: 1, maxLength: 8 }), (first, hops) => {
      let remaining = first;
      for (const { ownMs, timeoutMs, tookMs } of hops) {
        const deadline = deadlineAt(1000, ownMs, remaining);
        const limit = attemptLimitMs(1000 + tookMs, deadline, timeoutMs);
        if (limit <= 0) return;
        const next = remainingForCallee(limit, deadline);
        assert.ok(next !== undefined && Number.isInteger(next) && next >= 0);
        assert.ok(next < remaining && next < limit, `${next} after ${remaining}`);
        remaining = next;
      }
    }),
  );
});
