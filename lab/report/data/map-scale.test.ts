import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placeAmong } from "./map-scale.ts";

test("A cell's own value lies in its middle, however uneven the steps are", () => {
  const values = [0.1, 0.2, 0.5, 1, 2, 5];
  values.forEach((value, i) => assert.equal(placeAmong(values, value), i));
});

test("A number between two cells lies between their middles, one beyond the ends outside", () => {
  const values = [20, 40, 80];
  assert.equal(placeAmong(values, 30), 0.5);
  assert.equal(placeAmong(values, 60), 1.5);
  assert.equal(placeAmong(values, 10), -0.5);
  assert.equal(placeAmong(values, 120), 3);
});

test("With one cell alone, what lies above it lies above it", () => {
  assert.equal(placeAmong([5], 5), 0);
  assert.ok(placeAmong([5], 6) > 0 && placeAmong([5], 4) < 0);
});

test("A larger number never lies lower", () => {
  const axis = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 12 });
  const number = fc.double({ min: -100, max: 1100, noNaN: true });
  fc.assert(
    fc.property(axis, number, number, (values, a, b) => {
      const sorted = values.toSorted((x, y) => x - y);
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(placeAmong(sorted, low) <= placeAmong(sorted, high));
    }),
  );
});
