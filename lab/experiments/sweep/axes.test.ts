import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ConfigError } from "../../../services/settings/values.ts";
import { axesOf, combinations, parseAxis } from "./axes.ts";

const TABLE: readonly (readonly [text: string, values: readonly string[], why: string])[] = [
  ["RATE=20..40:5", ["20", "25", "30", "35", "40"], "both ends belong to the range"],
  ["ERROR_RATE=0..0.8:0.2", ["0", "0.2", "0.4", "0.6", "0.8"], "steps do not drift"],
  ["RATE=1..2:3", ["1"], "an end that no step reaches is left out"],
  ["RATE=5..5:1", ["5"], "a range of one"],
  ["BUDGET=none,window", ["none", "window"], "a list of words"],
  ["RATE=60", ["60"], "a list of one"],
];

for (const [text, values, why] of TABLE) {
  test(`${text}: ${why}`, () => {
    const axis = parseAxis(text);
    assert.deepEqual(typeof axis === "string" ? axis : axis.values, values);
  });
}

const FAULTS: readonly (readonly [text: string, fault: RegExp])[] = [
  ["RATE", /must read like/],
  ["rate=1,2", /must read like/],
  ["RATE=1..5", /a range must read like/],
  ["RATE=5..1:1", /a range rises/],
  ["RATE=1..5:0", /step must be more than 0/],
  ["RATE=1..1000000:1", /more than 20000 values/],
  ["RATE=5,5", /twice/],
  ["RATE=5,5.0", /twice/],
  ["RETRY_OWNER=1,true", /twice/],
  ["API_MAX_ATTEMPTS=1,", /a value is missing/],
  ["RATE=20,,30", /a value is missing/],
  ["BREAKER=,rate", /a value is missing/],
];

for (const [text, fault] of FAULTS) {
  test(`${text} is refused with the reason`, () => {
    const axis = parseAxis(text);
    assert.match(typeof axis === "string" ? axis : "", fault);
  });
}

test("Every combination is there once, and the last axis changes fastest", () => {
  const cells = combinations([
    { name: "A", values: ["1", "2"] },
    { name: "B", values: ["x", "y", "z"] },
  ]);
  assert.equal(cells.length, 6);
  assert.deepEqual(cells.slice(0, 2), [
    { A: "1", B: "x" },
    { A: "1", B: "y" },
  ]);
});

test("A range holds exactly the multiples of its step, in decimals as a person writes them", () => {
  const tenths = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(tenths, tenths, fc.integer({ min: 1, max: 20 }), (from, length, step) => {
      const axis = parseAxis(`X=${from / 10}..${(from + length) / 10}:${step / 10}`);
      assert.ok(typeof axis !== "string");
      const wanted = Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => (from + i * step) / 10);
      assert.deepEqual(axis.values.map(Number), wanted);
    }),
  );
});

test("What a sweep cannot go over is refused with what to do instead, and so is a setting that is varied twice", () => {
  const texts = ["WORLD=process,virtual", "REPORTS_DIR=a,b", "SEED=1,2", "POLICY=naive,owner", "SCENARIO=a,b"];
  assert.throws(
    () => axesOf([...texts, "LOG_LEVEL=warn,info", "TIERS=api,edge", "RATE=1,2", "RATE=3,4"]),
    ({ problems }: ConfigError) => {
      for (const name of ["WORLD", "REPORTS_DIR", "SEED", "POLICY", "SCENARIO", "LOG_LEVEL", "TIERS"])
        assert.ok(
          problems.some((problem) => problem.startsWith(`--vary ${name}: `)),
          name,
        );
      return problems.length === 8;
    },
  );
});
