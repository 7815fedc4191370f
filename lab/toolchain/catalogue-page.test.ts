import assert from "node:assert/strict";
import { test } from "node:test";
import { paidIn } from "./catalogue-page.ts";
import { budgetWith } from "../../services/policy/testdata/policies.ts";

test("The catalogue says how long a window of the attempts begun is, as the preset sets it", () => {
  assert.equal(paidIn(budgetWith({ kind: "concurrent-window" })), "begun in 10 s");
  assert.equal(paidIn(budgetWith({ kind: "concurrent-window", windowMs: 2500 })), "begun in 2.5 s");
});
