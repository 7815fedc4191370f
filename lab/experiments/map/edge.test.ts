import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shortestFatalDip, staysDown, type Dip } from "./edge.ts";

const NAIVE: Dip = {
  load: 45,
  capacity: 90,
  dipTo: 10,
  waitMs: 192,
  againMs: 18,
  calls: 9,
  queueLimit: Infinity,
  patienceS: 30,
};

test("A dip that ends before any call waits too long is fatal to nobody, a long one to who retries nine times", () => {
  // The queue grows by 35 calls a second: until 10 · 0.192 wait, every call is still answered in time.
  assert.equal(staysDown(NAIVE, 0.05), false);
  assert.equal(staysDown(NAIVE, 5), true);
  const fatal = shortestFatalDip(NAIVE, 5);
  assert.ok(fatal !== undefined && fatal > 0.192 && fatal < 0.7, String(fatal));
});

test("No dip is fatal where even a broken chain asks for less than the capacity, if there is time to drain", () => {
  assert.equal(shortestFatalDip({ ...NAIVE, load: 9 }, 1), undefined);
  assert.equal(shortestFatalDip({ ...NAIVE, calls: 1.44 }, 5), undefined);
  assert.equal(shortestFatalDip({ ...NAIVE, load: 8, dipTo: 20 }, 100), undefined);
});

test("A queue so short that nobody in it waits too long drains after any dip", () => {
  assert.equal(shortestFatalDip({ ...NAIVE, queueLimit: 15 }, 20), undefined);
});

test("More load or more calls for each request never make a chain stand a longer dip", () => {
  const load = fc.integer({ min: 12, max: 85 });
  const calls = fc.integer({ min: 3, max: 9 });
  const fatal = (l: number, c: number): number =>
    shortestFatalDip({ ...NAIVE, load: l, calls: c, patienceS: 10 }, 5) ?? Infinity;
  fc.assert(
    fc.property(load, load, calls, calls, (a, b, c, d) => {
      const worse = fatal(Math.max(a, b), Math.max(c, d));
      assert.ok(worse <= fatal(Math.min(a, b), Math.min(c, d)) + 0.02);
    }),
    { numRuns: 15 },
  );
});
