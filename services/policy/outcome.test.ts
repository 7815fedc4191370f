import assert from "node:assert/strict";
import { test } from "node:test";
import { isRetryable, OUTCOMES, outcomeOfStatus, type Outcome } from "./outcome.ts";

const statuses: [number, Outcome][] = [
  [200, "ok"],
  [204, "ok"],
  [304, "ok"],
  [400, "rejected"],
  [404, "rejected"],
  [409, "rejected"],
  [429, "overloaded"],
  [500, "failed"],
  [502, "failed"],
  [503, "overloaded"],
  [504, "failed"],
  [599, "failed"],
];

for (const [status, outcome] of statuses) {
  test(`an answer of ${status} counts as ${outcome}`, () => assert.equal(outcomeOfStatus(status), outcome));
}

test("only what could end better is retryable", () => {
  assert.deepEqual(OUTCOMES.filter(isRetryable), ["failed", "overloaded", "timeout"]);
});
