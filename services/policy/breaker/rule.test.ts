import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { note, NO_CALLS_YET, trips, type BreakerRule } from "./rule.ts";

const rate: BreakerRule = { kind: "rate", share: 0.5, minCalls: 10, windowMs: 1000 };

/** Memory after calls at these times, each failed (true) or not. */
function after(rule: BreakerRule, calls: readonly (readonly [now: number, failed: boolean])[]) {
  return calls.reduce((memory, [now, failed]) => note(rule, memory, failed, now), NO_CALLS_YET);
}

test("three failures in a row trip a rule of three, and one success in between starts the count again", () => {
  const rule: BreakerRule = { kind: "consecutive", failures: 3 };
  const calls = (...failed: boolean[]) =>
    trips(
      rule,
      after(
        rule,
        failed.map((each, i) => [i, each] as const),
      ),
    );
  assert.equal(calls(true, true), false);
  assert.equal(calls(true, true, true), true);
  assert.equal(calls(true, true, false, true, true), false);
});

test("a rate judges nothing below its least number of calls, and at that number a share reached is too much", () => {
  const failures = (n: number) =>
    after(
      rate,
      Array.from({ length: n }, (_, i) => [i, true] as const),
    );
  assert.equal(trips(rate, failures(9)), false);
  assert.equal(trips(rate, failures(10)), true);
  const half = Array.from({ length: 10 }, (_, i) => [i, i % 2 === 0] as const);
  assert.equal(trips(rate, after(rate, half)), true);
  assert.equal(trips(rate, after(rate, [[0, false], ...half])), false);
});

test("failures older than the window are forgotten", () => {
  const old = Array.from({ length: 9 }, (_, i) => [i, true] as const);
  assert.equal(trips(rate, after(rate, [...old, [899, true]])), true);
  assert.equal(trips(rate, after(rate, [...old, [1000, true]])), false);
});

test("memory stays bounded, never counts more than happened, and trips only where the last window's share says so", () => {
  const call = fc.tuple(fc.nat(400), fc.boolean());
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200, size: "max" }), (steps) => {
      let [memory, now] = [NO_CALLS_YET, 0];
      const seen: [number, boolean][] = [];
      for (const [waitMs, failed] of steps) {
        now += waitMs;
        seen.push([now, failed]);
        memory = note(rate, memory, failed, now);
        const first = Math.floor(now / 100) - 9;
        const window = seen.filter(([at]) => Math.floor(at / 100) >= first);
        const failures = window.filter(([, each]) => each).length;
        assert.ok(memory.slices.length <= 10);
        assert.equal(trips(rate, memory), window.length >= 10 && failures >= window.length / 2);
      }
    }),
  );
});
