import assert from "node:assert/strict";
import { test } from "node:test";
import {
  count,
  duration,
  exactPercent,
  fixed,
  list,
  percent,
  rate,
  rounded,
  seconds,
  times,
  value,
  wholePercent,
  interval,
} from "./format.ts";

test("Numbers carry their unit and the digits that matter", () => {
  const said: readonly (readonly [string, string])[] = [
    [percent(0.25333), "25.3 %"],
    [times(7.1175), "7.12x"],
    [duration(1883.2), "1.88 s"],
    [duration(999.4), "999 ms"],
    [duration(999.6), "1.00 s"],
    [duration(-1883.2), "-1.88 s"],
    [duration(12_340), "12.3 s"],
    [duration(123_400), "123 s"],
    [duration(8.42), "8.4 ms"],
    [count(12_345), "12,345"],
    [exactPercent(0.4), "40 %"],
    [wholePercent(0.25333), "25"],
    [fixed(0.0004, 3), "0.000"],
    [value(1234.567), "1,234.57"],
    [rate(60), "60/s"],
    [seconds(4.5), "4.5 s"],
  ];
  for (const [words, expected] of said) assert.equal(words, expected);
});

test("A number that is written to a file stays a number", () => {
  assert.deepEqual([rounded(7.11755), rounded(7.11755, 1), rounded(60)], [7.118, 7.1, 60]);
});

test("What is not there is said in words", () => {
  assert.deepEqual(
    [percent(null), times(null), duration(null), wholePercent(null), interval(times, null)],
    ["–", "–", "–", "–", "–"],
  );
});

test("Lists read as a sentence does", () => {
  assert.deepEqual([list([]), list(["a"]), list(["a", "b", "c"])], ["", "a", "a, b and c"]);
});

test("A range has its unit once, where both ends have the same, and is left out where it says nothing", () => {
  const told = [
    interval(percent, { median: 0.148, low: 0.1, high: 0.253 }),
    interval(duration, { median: 901, low: 820, high: 1161 }),
    interval(times, { median: -6.47, low: -6.83, high: -5.68 }),
    interval(times, { median: 1.44, low: 1.441, high: 1.442 }),
    interval(count, { median: 8541, low: 8000, high: 9000 }),
  ];
  const expected = ["14.8 % (10.0–25.3)", "901 ms (820 ms–1.16 s)", "-6.47x (-6.83 to -5.68)", "1.44x"];
  assert.deepEqual(told, [...expected, "8,541 (8,000–9,000)"]);
});
