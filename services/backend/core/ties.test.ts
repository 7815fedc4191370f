import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { Ties } from "./ties.ts";

for (const delayMs of [0, 5]) {
  test(`a copy that begins withdraws the other one after ${delayMs} ms, and never itself`, () => {
    const clock = new VirtualClock();
    const ties = new Ties(clock, delayMs);
    const withdrawn: string[] = [];
    const note = (copy: string) => () => void withdrawn.push(`${clock.now()} ${copy}`);
    const first = ties.join("o1", 1, note("first"));
    ties.join("o1", 1, note("second"));
    ties.join("o2", 1, note("another order's"));
    first.begin();
    clock.runUntilIdle();
    assert.deepEqual(withdrawn, [`${delayMs} second`]);
  });
}
