import assert from "node:assert/strict";
import { test } from "node:test";
import { count, duration, list, percent, rate, seconds, times } from "./format.ts";

test("Numbers carry their unit and the digits that matter", () => {
  const said: readonly (readonly [string, string])[] = [
    [percent(0.25333), "25.3 %"],
    [times(7.1175), "7.12×"],
    [duration(1883.2), "1.88 s"],
    [duration(999.4), "999 ms"],
    [duration(8.42), "8.4 ms"],
    [count(12_345), "12,345"],
    [rate(60), "60/s"],
    [seconds(4.5), "4.5 s"],
  ];
  for (const [words, expected] of said) assert.equal(words, expected);
});

test("What is not there is said in words", () => {
  assert.deepEqual([percent(null), times(null), duration(null)], ["unknown", "no bound", "unknown"]);
});

test("Lists read as a sentence does", () => {
  assert.deepEqual([list([]), list(["a"]), list(["a", "b", "c"])], ["", "a", "a, b and c"]);
});
