import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LEAST_SAMPLES, RecentQuantile } from "./quantile.ts";

function after(quantile: number, samples: readonly number[]): number | undefined {
  const recent = new RecentQuantile(quantile);
  for (const ms of samples) recent.note(ms);
  return recent.value();
}

test("nothing is said before there are enough observations", () => {
  const samples = Array.from({ length: LEAST_SAMPLES }, () => 8);
  assert.equal(after(0.95, samples.slice(1)), undefined);
  assert.ok(after(0.95, samples) !== undefined);
});

test("the answer is never below the true quantile of what is remembered, and at most 2 % above it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.02, max: 100_000, noNaN: true }), { minLength: 20, maxLength: 500 }),
      fc.double({ min: 0.5, max: 0.999, noNaN: true }),
      (samples, quantile) => {
        const sorted = samples.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(quantile * sorted.length - 1e-9) - 1)] ?? 0;
        const value = after(quantile, samples) ?? 0;
        assert.ok(value >= exact * (1 - 1e-9) && value <= exact * 1.0201, `${value} for ${exact}`);
      },
    ),
    { seed: 1 },
  );
});

test("it follows a change: after a thousand slower calls the faster ones are forgotten", () => {
  const fast = Array.from({ length: 5000 }, () => 8);
  const slow = Array.from({ length: 1024 }, () => 80);
  const value = after(0.5, [...fast, ...slow]) ?? 0;
  assert.ok(value >= 80 && value < 82, `${value}`);
});

test("an answer that was given does not stand for ever", () => {
  const recent = new RecentQuantile(0.5);
  for (let i = 0; i < 20; i += 1) recent.note(8);
  assert.ok((recent.value() ?? NaN) < 9);
  for (let i = 0; i < 1024; i += 1) recent.note(80);
  assert.ok((recent.value() ?? NaN) >= 80);
});

test("durations of nothing and of days are taken, each at its end of the scale", () => {
  const zero =
    after(
      0.5,
      Array.from({ length: 20 }, () => 0),
    ) ?? NaN;
  assert.ok(zero >= 0 && zero < 0.02);
  assert.ok(
    Number.isFinite(
      after(
        0.5,
        Array.from({ length: 20 }, () => 1e9),
      ),
    ),
  );
});
