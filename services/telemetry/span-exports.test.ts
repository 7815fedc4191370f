import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../virtual-time/clock.ts";
import { Exports } from "./span-exports.ts";

test("A collector that takes all spans has not been away for a moment", () => {
  const clock = new VirtualClock();
  const exports = new Exports(clock);
  for (let n = 1; n <= 3; n += 1) {
    const ended = exports.begun();
    clock.runUntil(n * 1000);
    ended(true);
  }
  assert.deepEqual(exports.reach.stats(), { answers: 3, awayMs: 0 });
});

test("A collector is away from when it was first asked in vain until it answers, counted anew for each run", () => {
  const clock = new VirtualClock();
  const exports = new Exports(clock);
  clock.runUntil(1000);
  const first = exports.begun();
  clock.runUntil(3500);
  first(false);
  clock.runUntil(5000);
  assert.deepEqual(exports.reach.stats(), { answers: 0, awayMs: 4000 });
  exports.reach.begin();
  const second = exports.begun();
  clock.runUntil(7000);
  second(true);
  clock.runUntil(60_000);
  assert.deepEqual(exports.reach.stats(), { answers: 1, awayMs: 2000 });
});

test("An export that hangs counts before it has failed", () => {
  const clock = new VirtualClock();
  const exports = new Exports(clock);
  exports.begun();
  clock.runUntil(2000);
  assert.equal(exports.reach.stats().awayMs, 0);
  clock.runUntil(8000);
  assert.equal(exports.reach.stats().awayMs, 8000);
});
