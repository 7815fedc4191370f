import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDotenv } from "./dotenv.ts";

test("Settings are read with quotes, comments, export and either line end, and know their lines", () => {
  const text =
    "# why\r\nRATE=60\n\nexport SEED = 7 # luck\nFAULT_TIMELINE=\"at 5s capacity 90; at 9s error 0\"\rPOLICY='mine'\nCHAIN=\n";
  const { settings, lines, problems } = parseDotenv(text);
  assert.deepEqual(settings, {
    RATE: "60",
    SEED: "7",
    FAULT_TIMELINE: "at 5s capacity 90; at 9s error 0",
    POLICY: "mine",
    CHAIN: "",
  });
  assert.deepEqual(
    [...lines],
    [
      ["RATE", 2],
      ["SEED", 4],
      ["FAULT_TIMELINE", 5],
      ["POLICY", 6],
      ["CHAIN", 7],
    ],
  );
  assert.deepEqual(problems, []);
});

test("A line that is no setting is a problem with its number, and the lines after it are still read", () => {
  const { settings, problems } = parseDotenv('RATE 60\nRATE: 60\n2X=1\nSEED="7\nDRAIN_S=3');
  assert.deepEqual(
    problems.map(({ line, text }) => [line, text]),
    [
      [1, '"RATE 60" must read NAME=value, or begin with "#".'],
      [2, '"RATE: 60" must read NAME=value, or begin with "#".'],
      [3, '"2X=1" must read NAME=value, or begin with "#".'],
    ],
  );
  assert.equal(settings["DRAIN_S"], "3");
});

test("A name that is set twice is a problem that names both lines", () => {
  const { problems } = parseDotenv("RATE=60\nSEED=1\nRATE=70\n");
  assert.deepEqual(problems, [{ line: 3, text: "RATE is set in line 1 already. Keep one of the two." }]);
});
