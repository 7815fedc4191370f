import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exponential, seededRng, uniform } from "./rng.ts";

/** Chi-squared of `draws` numbers in [0, 1) over ten equal bins. */
function chiSquared(draws: number[]): number {
  const bins = Array.from({ length: 10 }, () => 0);
  for (const u of draws) bins[Math.floor(u * 10)] = (bins[Math.floor(u * 10)] ?? 0) + 1;
  const expected = draws.length / 10;
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** A fair source exceeds this once in 100,000 times (nine degrees of freedom). */
const UNLIKELY = 39.3;

test("a number lies in [0, 1) for any seed, key and number", () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.nat(), (seed, key, n) => {
      const u = uniform(seed, key, n);
      assert.ok(u >= 0 && u < 1, String(u));
    }),
  );
});

test("numbers are uniform over orders, over visits of one order, and over seeds", () => {
  const thousand = Array.from({ length: 10_000 }, (_, i) => i);
  assert.ok(chiSquared(thousand.map((i) => uniform(1, `order-${i}`, 0))) < UNLIKELY);
  assert.ok(chiSquared(thousand.map((i) => uniform(1, "order-1", i))) < UNLIKELY);
  assert.ok(chiSquared(thousand.map((seed) => uniform(seed, "order-1", 0))) < UNLIKELY);
});

test("one draw says nothing about the next of the same order, nor about the next order", () => {
  for (const pair of [
    (i: number) => [uniform(1, `o${i}`, 0), uniform(1, `o${i}`, 1)] as const,
    (i: number) => [uniform(1, `o${i}`, 0), uniform(1, `o${i + 1}`, 0)] as const,
    (i: number) => [uniform(i, "o", 0), uniform(i + 1, "o", 0)] as const,
  ]) {
    let sum = 0;
    for (let i = 0; i < 10_000; i += 1) {
      const [a, b] = pair(i);
      sum += (a - 0.5) * (b - 0.5) * 12;
    }
    assert.ok(Math.abs(sum / 10_000) < 0.05, `correlation ${sum / 10_000}`);
  }
});

test("the same key and number give the same draw whatever was drawn before", () => {
  const alone = uniform(42, "order-17", 3);
  const busy = seededRng(42, "another");
  for (let i = 0; i < 100; i += 1) busy();
  assert.equal(uniform(42, "order-17", 3), alone);
  const stream = seededRng(42, "order-17");
  assert.deepEqual([stream(), stream(), stream(), stream()][3], alone);
});

test("two streams drawn in turns give what each gives alone", () => {
  const [a, b] = [seededRng(1, "a"), seededRng(1, "b")];
  const mixed = [a(), b(), a(), b()];
  assert.deepEqual(mixed, [uniform(1, "a", 0), uniform(1, "b", 0), uniform(1, "a", 1), uniform(1, "b", 1)]);
});

test("another seed gives other numbers", () => {
  const same = Array.from({ length: 1000 }, (_, i) => i).filter(
    (i) => uniform(1, `o${i}`, 0) === uniform(2, `o${i}`, 0),
  );
  assert.deepEqual(same, []);
});

test("the exponential draw is finite, never negative, and has a mean of one", () => {
  const rng = seededRng(5, "mean");
  let sum = 0;
  for (let i = 0; i < 20_000; i += 1) sum += exponential(rng);
  assert.ok(Math.abs(sum / 20_000 - 1) < 0.03, String(sum / 20_000));
  assert.ok(exponential(() => 0) === 0);
  assert.ok(Number.isFinite(exponential(() => 1 - 2 ** -53)));
});
