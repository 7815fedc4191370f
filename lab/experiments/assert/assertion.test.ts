import assert from "node:assert/strict";
import { test } from "node:test";
import { check, parseAssertion, policiesIn, type Assertion } from "./assertion.ts";
import { comparisonOf } from "../../runs/comparison.ts";
import { summaryWith } from "../../runs/testdata/summary.ts";

const COMPARISON = comparisonOf([
  summaryWith({ policy: "naive", seed: 1, successRate: 0.2, amplification: 7.5 }),
  summaryWith({ policy: "budgeted", seed: 1, successRate: 0.8, amplification: 1.5 }),
]);

function parsed(text: string): Assertion {
  const assertion = parseAssertion(text);
  if (!("text" in assertion)) throw new Error(assertion.join("; "));
  return assertion;
}

const TABLE: readonly (readonly [text: string, holds: boolean, why: string])[] = [
  ["budgeted.amplification < 1.6", true, "a plain number"],
  ["budgeted.amplification < 1.5", false, "less is less"],
  ["budgeted.amplification <= 1.5x", true, "x is a unit"],
  ["naive.success < 35%", true, "a share in percent"],
  ["naive.success >= 0.2", true, "a share as a number"],
  ["budgeted.p99 < 1.2s", false, "seconds: 1,200 ms is not less than 1,200 ms"],
  ["budgeted.p99 <= 1200ms", true, "milliseconds"],
  ["budgeted.success.low > naive.success.high", true, "two references with ends"],
  ["2>naive.success", true, "a number first, without spaces"],
];

for (const [text, holds, why] of TABLE) {
  test(`${text} is ${holds}: ${why}`, () => assert.equal(check(parsed(text), COMPARISON).holds, holds));
}

const FAULTS: readonly (readonly [text: string, fault: RegExp])[] = [
  ["budgeted.amplification", /must read like/],
  ["budgeted.amplification = 1", /must read like/],
  ["budgeted.speed < 1", /"speed" is not a metric: use success/],
  ["budgeted.success.mean < 1", /"mean" is not an end/],
  ["budgeted < 1", /policy\.metric/],
  ["a.b.c.d < 1", /policy\.metric/],
  ["budgeted.p99 < 1 minute", /must be a number/],
];

for (const [text, fault] of FAULTS) {
  test(`"${text}" is refused with the reason`, () => {
    const faults = parseAssertion(text);
    assert.ok(!("text" in faults));
    assert.match(faults.join("\n"), fault);
  });
}

test("An assertion with faults on both sides gets both", () => {
  const faults = parseAssertion("a.b < c.d");
  assert.equal("text" in faults ? 0 : faults.length, 2);
});

test("A policy of the catalogue is spoken of with its folder, and no other path is", () => {
  assert.deepEqual(policiesIn(parsed("production/envoy.p50 < naive.p50")), ["production/envoy", "naive"]);
  assert.ok(!("text" in parseAssertion("../naive.p50 < 1")));
  assert.ok(!("text" in parseAssertion("other/naive.p50 < 1")));
});

test("The policies to run are those that the assertion speaks of", () => {
  assert.deepEqual(policiesIn(parsed("owner.p50 < naive.p50")), ["owner", "naive"]);
});
