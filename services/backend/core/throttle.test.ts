import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Throttle } from "./throttle.ts";

test("it starts full, so the burst passes at once and the next call waits for a token", () => {
  const throttle = new Throttle(10, 3, 0);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => throttle.tryTake(0)),
    [true, true, true, false],
  );
  assert.equal(throttle.waitMs(0), 100);
  assert.equal(throttle.tryTake(99), false);
  assert.equal(throttle.tryTake(100), true);
});

test("it never saves up more than the burst", () => {
  const throttle = new Throttle(10, 3, 0);
  assert.equal(throttle.balance(1_000_000), 3);
});

test("whoever waits as long as it says gets a token, whatever the rate", () => {
  const rates = fc.double({ min: 0.001, max: 100_000, noNaN: true });
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 1e7, noNaN: true }), (rate, startedAt) => {
      const throttle = new Throttle(rate, 1, startedAt);
      assert.equal(throttle.tryTake(startedAt), true);
      assert.equal(throttle.tryTake(startedAt + throttle.waitMs(startedAt)), true);
    }),
  );
});

test("it never lets more through than capacity · time + burst", () => {
  const gaps = fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { maxLength: 500 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (waits, rate, burst) => {
      const throttle = new Throttle(rate, burst, 0);
      let now = 0;
      let taken = 0;
      for (const wait of waits) {
        now += wait;
        if (throttle.tryTake(now)) taken += 1;
        assert.ok(taken <= burst + (rate * now) / 1000 + 1e-6, `${taken} by ${now} ms`);
      }
    }),
  );
});

test("a change holds from now on: tokens saved at the old rate stay, those beyond a smaller burst are lost", () => {
  const throttle = new Throttle(10, 5, 0);
  for (let i = 0; i < 5; i += 1) throttle.tryTake(0);
  throttle.change(100, 2, 100);
  assert.equal(throttle.balance(100), 1);
  assert.equal(throttle.balance(105), 1.5);
  assert.equal(throttle.balance(1000), 2);
  throttle.change(100, 1, 1000);
  assert.equal(throttle.balance(1000), 1);
});

test("time that stands still or goes back gives no tokens", () => {
  const throttle = new Throttle(1000, 1, 50);
  assert.equal(throttle.tryTake(50), true);
  assert.equal(throttle.tryTake(50), false);
  assert.equal(throttle.tryTake(10), false);
});
