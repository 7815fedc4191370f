import assert from "node:assert/strict";
import { test } from "node:test";
import { dipAxesOf } from "./axes.ts";

const TYPED = { load: "80,20", length: "0.1..0.3:0.1" };

test("Loads and lengths are read as those of a sweep, and sorted", () => {
  assert.deepEqual(dipAxesOf(TYPED, 1), { loads: [20, 80], lengths: [0.1, 0.2, 0.3] });
});

test("All faults of the axes are told at once, each with its option", () => {
  assert.throws(
    () => dipAxesOf({ load: "9..1:1", length: "0,5" }, 1),
    (error: { problems?: string[] }) => {
      assert.match(error.problems?.[0] ?? "", /^--load 9\.\.1:1: 1 is below 9/);
      assert.match(error.problems?.[1] ?? "", /^--length 0,5: numbers from 0.01 to 600 are needed/);
      return error.problems?.length === 2;
    },
  );
  assert.throws(() => dipAxesOf({ ...TYPED, load: "1..1000:1" }, 10), /that is 30000 runs; at most 5000/);
});
