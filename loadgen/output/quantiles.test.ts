import assert from "node:assert/strict";
import { test } from "node:test";
import { Quantiles } from "./quantiles.ts";

test("Quantiles are right to 0.1 %, from microseconds to ten minutes", () => {
  for (const scale of [0.001, 1, 600]) {
    const quantiles = new Quantiles();
    for (let i = 1; i <= 1000; i += 1) quantiles.add(i * scale);
    for (const share of [0.5, 0.9, 0.99]) {
      const wanted = 1000 * share * scale;
      assert.ok(
        Math.abs(quantiles.at(share)! - wanted) <= 0.0011 * wanted + 0.001,
        `${quantiles.at(share)}, ${wanted}`,
      );
    }
  }
});

test("The maximum is exact, and no quantile lies beyond it", () => {
  const quantiles = new Quantiles();
  for (const ms of [1.5, 1883.217]) quantiles.add(ms);
  assert.equal(quantiles.max(), 1883.217);
  assert.equal(quantiles.at(1), 1883.217);
});

test("Of nothing there is no quantile, and what is longer than an hour is kept as the maximum", () => {
  const quantiles = new Quantiles();
  assert.deepEqual([quantiles.at(0.5), quantiles.max()], [null, null]);
  quantiles.add(7_200_000);
  assert.equal(quantiles.max(), 7_200_000);
});
