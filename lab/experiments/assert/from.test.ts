import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { comparisonOf } from "../../runs/comparison.ts";
import { summaryWith } from "../../runs/testdata/summary.ts";
import { readComparison } from "./experiment.ts";

function savedAs(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "assert-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "comparison.json"), text);
  return folder;
}

const COMPARISON = comparisonOf([
  summaryWith({ policy: "naive", seed: 1, successRate: 0.2, amplification: 7.5 }),
  summaryWith({ policy: "budgeted", seed: 1, successRate: 0.8, amplification: 1.5 }),
]);

test("A comparison is read from its folder and from its file", (t) => {
  const folder = savedAs(t, JSON.stringify(COMPARISON));
  assert.deepEqual(readComparison(folder), COMPARISON);
  assert.deepEqual(readComparison(join(folder, "comparison.json")), COMPARISON);
});

test("A comparison of before a measure was one is read, and that measure counts as not measured", (t) => {
  const policies = COMPARISON.policies.map((one) => ({ ...one, metrics: { ...one.metrics, shed: undefined } }));
  const read = readComparison(savedAs(t, JSON.stringify({ ...COMPARISON, policies })));
  assert.equal(read.policies[0]?.metrics.shed, null);
  assert.deepEqual(read.policies[0]?.metrics.success, COMPARISON.policies[0]?.metrics.success);
});

test("A comparison whose numbers are none is refused rather than compared", (t) => {
  const [naive] = COMPARISON.policies;
  const success = { ...naive?.metrics.success, median: "99" };
  const cases: [comparison: object, fault: RegExp][] = [
    [
      { ...naive, metrics: { ...naive?.metrics, success } },
      /policies\.0\.metrics\.success\.median must be a number, not "99"/,
    ],
    [{ ...naive, metrics: undefined }, /policies\.0\.metrics is missing/],
  ];
  for (const [policy, fault] of cases) {
    const folder = savedAs(t, JSON.stringify({ ...COMPARISON, policies: [policy] }));
    assert.throws(() => readComparison(folder), fault);
  }
  assert.throws(
    () => readComparison(savedAs(t, '{"schema":1}')),
    /comparison\.json is not a comparison.*seeds is missing/s,
  );
  assert.throws(() => readComparison(savedAs(t, "[")), /cannot be read as JSON/);
  const folder = savedAs(t, "");
  rmSync(join(folder, "comparison.json"));
  mkdirSync(join(folder, "comparison.json"));
  assert.throws(() => readComparison(folder), /it is a folder, not a file/);
});
