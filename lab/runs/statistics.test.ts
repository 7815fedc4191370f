import assert from "node:assert/strict";
import { test } from "node:test";
import { ascending, estimate } from "./statistics.ts";

test("One value is its own median and its own interval", () => {
  assert.deepEqual(estimate([3], "one"), { median: 3, low: 3, high: 3, min: 3, max: 3 });
});

test("The interval lies around the median and within the values", () => {
  const { median, low, high, min, max } = estimate([1, 2, 3, 4, 5, 6, 7, 8, 9, 100], "ten")!;
  assert.equal(median, 5.5);
  assert.ok(low > min && low < median && high > median && high < max);
});

test("The same values under the same key give the same interval", () => {
  assert.deepEqual(estimate([1, 5, 2, 8], "key"), estimate([1, 5, 2, 8], "key"));
});

test("More runs of the same spread give a narrower interval", () => {
  const width = (n: number): number => {
    const { low, high } = estimate(
      Array.from({ length: n }, (_, i) => (i * 37) % 100),
      "width",
    )!;
    return high - low;
  };
  assert.ok(width(100) < width(10) / 1.5);
});

test("An interval is the one that was published: the same numbers are drawn for values in the same order", () => {
  const { low, high } = estimate([49, 1, 81, 9, 25, 4, 64, 16, 100, 36], "pinned")!;
  assert.deepEqual([low, high], [9, 64]);
});

test("Runs that measured nothing are left out of an estimate, and of nothing but such there is none", () => {
  assert.deepEqual(estimate([null, 3, null], "key"), estimate([3], "key"));
  assert.equal(estimate([null, null], "key"), null);
  assert.deepEqual(ascending([2, null, 1]), [1, 2]);
});
