import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sparkline } from "./sparkline.ts";

test("Heights go from the lowest to the full one, against the scale that is given", () => {
  assert.equal(sparkline([0, 1, 2, 4, 8], 8), "▁▁▂▄█");
  assert.equal(sparkline([1, 1], 9), "▁▁");
});

test("What was not measured is a blank, and nothing is an empty line", () => {
  assert.equal(sparkline([1, null, 1], 1), "█ █");
  assert.equal(sparkline([], 1), "");
});

test("A peak survives when many seconds share a column", () => {
  const values = Array.from({ length: 100 }, (_, i) => (i === 57 ? 9 : 1));
  const line = sparkline(values, 9, 20);
  assert.equal(line.length, 20);
  assert.equal(line.indexOf("█"), 11);
});

test("A line is never wider than allowed, nor longer than its values", () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }));
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 80 }), (all, width) => {
      const { length } = sparkline(all, 10, width);
      assert.ok(length <= width && length <= all.length && (all.length === 0 || length > 0));
    }),
  );
});
