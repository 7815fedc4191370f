import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { ThroughputLimit } from "./throughput-limit.ts";

interface Scene {
  /** Calls per second. */
  capacity: number;
  latencyMs: number;
  /** When a caller gives up; its turn is taken all the same. */
  readonly patienceMs?: number;
}

/**
 * Callers without end at a callee with an endless queue: `limit` calls of theirs are there at a time, each begins when the
 * callee has a turn for it, and takes `latencyMs`.
 */
function crowd(callee: Scene) {
  const clock = new VirtualClock();
  const limit = new ThroughputLimit();
  let [inside, turnAt, served] = [0, 0, 0];
  const fill = (): void => {
    while (inside < limit.limit()) {
      inside += 1;
      turnAt = Math.max(clock.now(), turnAt + 1000 / callee.capacity);
      const tookMs = turnAt - clock.now() + callee.latencyMs;
      const { patienceMs = Infinity } = callee;
      clock.after(Math.min(tookMs, patienceMs), () => end(tookMs <= patienceMs));
    }
  };
  const end = (isServed: boolean): void => {
    inside -= 1;
    if (isServed) served += 1;
    limit.attemptEnded(isServed, clock.now(), true);
    fill();
  };
  fill();
  return {
    limit,
    /** Calls served per second during the next `seconds`. */
    pace(seconds: number): number {
      served = 0;
      clock.runUntil(clock.now() + seconds * 1000);
      return served / seconds;
    },
  };
}

test("whatever the callee's capacity and latency, it is kept busy by little more than it needs", () => {
  const callee = fc.record({
    capacity: fc.integer({ min: 10, max: 300 }),
    latencyMs: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(callee, (it) => {
      const { limit, pace } = crowd(it);
      pace(60);
      const reached = pace(60) / it.capacity;
      const needed = 1 + (it.capacity * it.latencyMs) / 1000;
      assert.ok(reached >= 0.9, `${reached} of the capacity`);
      // Half of that is needed at least where steps double, and a trial doubles it for a while.
      assert.ok(limit.limit() <= 4 * needed + 2, `${limit.limit()} at once, where ${needed} do`);
    }),
    { numRuns: 40 },
  );
});

test("a callee that gets slow, but not short of capacity, is asked more at once within seconds", () => {
  const callee = { capacity: 60, latencyMs: 8 };
  const { pace } = crowd(callee);
  pace(20);
  callee.latencyMs = 500;
  pace(15);
  assert.ok(pace(10) >= 0.9 * 60);
});

test("a callee that has lost most of its capacity is asked less at once, so that what is asked is answered in time", () => {
  const callee = { capacity: 60, latencyMs: 500, patienceMs: 1100 };
  const { limit, pace } = crowd(callee);
  pace(30);
  const before = limit.limit();
  callee.capacity = 6;
  pace(60);
  assert.ok(limit.limit() <= before / 3, `${before}, then ${limit.limit()}`);
  const reached = pace(60) / 6;
  // What was given up stands in the queue and is served all the same: each trial that asks for too much costs turns.
  assert.ok(reached >= 0.5, `${reached} of the capacity`);
});

test("where nothing is served, the limit falls to one and stays there", () => {
  const limit = new ThroughputLimit();
  for (let now = 0; now < 20_000; now += 10) limit.attemptEnded(false, now, true);
  assert.equal(limit.limit(), 1);
});

test("a limit that nobody waits for stays as it is", () => {
  const limit = new ThroughputLimit();
  const before = limit.limit();
  for (let now = 0; now < 20_000; now += 10) limit.attemptEnded(true, now, false);
  assert.equal(limit.limit(), before);
});
