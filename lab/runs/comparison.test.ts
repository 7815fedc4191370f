import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonOf } from "./comparison.ts";
import { comparisonCsv, comparisonText } from "../experiments/compare/text.ts";
import { summaryWith } from "./testdata/summary.ts";

const RUNS = [1, 2, 3, 4, 5].flatMap((seed) => [
  summaryWith({ policy: "naive", seed, successRate: seed / 10, amplification: 7 }),
  summaryWith({
    policy: "budgeted",
    seed,
    successRate: seed / 10 + 0.4,
    amplification: 1.5,
    valid: seed > 1,
  }),
]);

test("Differences are taken seed by seed, so what both policies share of the random numbers is not in them", () => {
  const [naive, budgeted] = comparisonOf(RUNS).policies;
  assert.equal(naive?.difference, null);
  const difference = budgeted?.difference?.success;
  assert.ok(Math.abs((difference?.low ?? 0) - 0.4) < 1e-12);
  assert.ok(Math.abs((difference?.high ?? 0) - 0.4) < 1e-12);
  const own = budgeted?.metrics.success;
  assert.ok(own !== undefined && own!.high - own!.low > 0.1);
});

test("The order in which runs have ended changes nothing but which policy comes first", () => {
  const turned = comparisonOf(RUNS.toReversed());
  assert.equal(turned.policies[0]?.policy, "budgeted");
  assert.deepEqual(turned.policies[1]?.metrics, comparisonOf(RUNS).policies[0]?.metrics);
});

test("A run that is missing is named", () => {
  assert.throws(() => comparisonOf(RUNS.slice(0, -1)), /no run of budgeted with seed 5/);
});

test("What was shed at any tier is a row, and what was wasted is one also as a share of the calls", () => {
  const text = comparisonText(comparisonOf(RUNS));
  assert.match(text, /\bshed +│ 25 +│ 25 /u);
  assert.match(text, /wasted, of the calls +│ 3\.6 % +│ 16\.7 % /u);
});

test("The table says how many runs were valid, and the CSV has a line for each estimate", () => {
  const comparison = comparisonOf(RUNS);
  const text = comparisonText(comparison);
  assert.match(text, /4 of 5/);
  assert.match(text, /70\.0 % \(/);
  assert.match(text, /seeds 1 to 5/);
  const lines = comparisonCsv(comparison).trimEnd().split("\n");
  assert.equal(lines.length, 1 + 9 + 18);
  assert.ok(lines.includes("budgeted,amplification,difference,5,-5.5,-5.5,-5.5,-5.5,-5.5"));
});
