/** What the tests of this world hold against a busy machine, and what they do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createExcuses } from "./testdata/excuses.ts";

const BUSY = ["the machine was saturated, so it measured itself and not the policy: edge used 97 % of a core."];
const lost = (edge: number, api = 0, invalidReasons = BUSY) => ({
  invalidReasons,
  tiers: { edge: { lost: edge }, api: { lost: api }, backend: { lost: 0 } },
});

test("Calls lost on a busy machine are excused twice, and then they are a fault of the counting", () => {
  const isExcused = createExcuses();
  assert.deepEqual([lost(3), lost(0, 1), lost(2), lost(2)].map(isExcused), [true, true, false, false]);
});

test("Calls that were seen and never sent, or lost on a quiet machine, are never excused", () => {
  assert.deepEqual([lost(-1), lost(3, -3), lost(3, 0, [])].map(createExcuses()), [false, false, false]);
});

test("A run that was cut short is made again each time", () => {
  const isExcused = createExcuses();
  const short = lost(-4, 9, ["a tier stopped answering, and the run was stopped there: api."]);
  assert.deepEqual(
    Array.from({ length: 5 }, () => isExcused(short)),
    [true, true, true, true, true],
  );
});
