import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { beginOf, intervalAt, lengthOf, MOST_INTERVALS, timeGrid } from "./time-grid.ts";

test("A load of whole seconds has a second each; one that ends within a second has a longer or a shorter last one", () => {
  const lengths = (loadEndsS: number): number[] => {
    const grid = timeGrid(loadEndsS);
    return Array.from({ length: grid.underLoad }, (_, i) => lengthOf(grid, i));
  };
  assert.deepEqual(lengths(3), [1, 1, 1]);
  assert.deepEqual(lengths(2.75), [1, 1, 0.75]);
  assert.deepEqual(lengths(2.25), [1, 1.25]);
  assert.deepEqual(lengths(0.25), [0.25]);
});

test("Each moment lies in one interval, none is shorter than half of another, and one begins where the load ends", () => {
  const anyLoad = fc.double({ min: 0.5, max: 20_000, noNaN: true });
  fc.assert(
    fc.property(anyLoad, fc.double({ min: 0, max: 60_000, noNaN: true }), (loadEndsS, tS) => {
      const grid = timeGrid(loadEndsS);
      const interval = intervalAt(grid, tS);
      const slack = 1e-9 * Math.max(1, tS);
      assert.ok(beginOf(grid, interval) <= tS + slack);
      if (interval < MOST_INTERVALS) assert.ok(tS < beginOf(grid, interval + 1) + slack);
      assert.ok(lengthOf(grid, interval) >= grid.widthS / 2 - slack);
      assert.equal(beginOf(grid, grid.underLoad), loadEndsS);
    }),
  );
});
