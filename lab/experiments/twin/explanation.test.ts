import assert from "node:assert/strict";
import { test } from "node:test";
import { BUDGETED, pair } from "./testdata/pairs.ts";
import { explain } from "./explanation.ts";

test("Equal runs are explained by nothing", () => {
  const [seeds, outcomes, attempts] = explain([pair(1, BUDGETED), pair(2, BUDGETED)]);
  assert.match(seeds ?? "", /succeeded \+0\.0 points \(\+0\.0 points to \+0\.0 points\)/);
  assert.match(outcomes ?? "", /no kind of outcome differs/);
  assert.match(attempts ?? "", /the same at every hop/);
});

test("A difference shows as requests that ended otherwise, and as attempts at the hop that made them", () => {
  const measured = { success: 0.8, amplification: 1.6, p50: 14 };
  const [seeds, outcomes, attempts] = explain([pair(1, measured), pair(2, { ...measured, p50: 12 })]);
  assert.match(seeds ?? "", /succeeded −5\.0 points/);
  assert.match(seeds ?? "", /p50 \+3\.0 ms \(\+2\.0 ms to \+4\.0 ms\)/);
  assert.match(outcomes ?? "", /ok 80\.0 % \(85\.0 %\), timeout 20\.0 % \(15\.0 %\)/);
  assert.match(attempts ?? "", /: api 1\.60x \(1\.44x\)$/);
});

test("Without a run that counts there is nothing to explain", () => assert.deepEqual(explain([]), []));
