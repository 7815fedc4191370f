import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "./clock.ts";

test("time jumps to each event, and stands at the last one when idle", () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.after(30, () => seen.push(clock.now()));
  clock.after(10, () => {
    seen.push(clock.now());
    clock.after(5, () => seen.push(clock.now()));
  });
  assert.equal(clock.runUntilIdle(), true);
  assert.deepEqual(seen, [10, 15, 30]);
  assert.equal(clock.now(), 30);
});

test("running until a time includes that time, and stands there though nothing happened", () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  for (const at of [10, 20, 21]) clock.after(at, () => seen.push(at));
  clock.runUntil(20);
  assert.deepEqual(seen, [10, 20]);
  clock.runUntil(20.5);
  assert.equal(clock.now(), 20.5);
  assert.equal(clock.pending, 1);
});

test("running until an earlier time does not turn time back", () => {
  const clock = new VirtualClock();
  clock.runUntil(10);
  clock.runUntil(5);
  assert.equal(clock.now(), 10);
});

test("what is due now runs after what is running, and before time moves on", () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.after(1, () => {
    clock.after(0, () => seen.push(`added at ${clock.now()}`));
    seen.push("first");
  });
  clock.after(1, () => seen.push("second"));
  clock.runUntilIdle();
  assert.deepEqual(seen, ["first", "second", "added at 1"]);
});

test("a cancelled timer does not run, even when cancelled at its own time", () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.after(5, () => {
    cancel();
    seen.push("the one that cancels");
  });
  const cancel = clock.after(5, () => seen.push("the cancelled one"));
  clock.runUntilIdle();
  assert.deepEqual(seen, ["the one that cancels"]);
});

test("what never falls idle ends at the bound, and says so", () => {
  const clock = new VirtualClock();
  let ticks = 0;
  const tick = (): void => {
    ticks += 1;
    clock.after(10, tick);
  };
  tick();
  assert.equal(clock.runUntilIdle(100), false);
  assert.equal(ticks, 11);
});

test("a delay that is negative or not a number is no delay", () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.after(10, () => {
    clock.after(-5, () => seen.push(clock.now()));
    clock.after(Number.NaN, () => seen.push(clock.now()));
  });
  clock.runUntilIdle();
  assert.deepEqual(seen, [10, 10]);
});
