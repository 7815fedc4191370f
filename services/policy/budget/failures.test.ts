import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget, type Budget } from "./budget.ts";
import { budgetWith } from "../testdata/policies.ts";

/** Attempts of one request all of which fail. */
function attemptsOf(budget: Budget, maxAttempts: number): number {
  for (let made = 1; ; made += 1) {
    budget.hear?.("failed", 0);
    if (made === maxAttempts || !budget.tryWithdraw(0)) return made;
  }
}

const A6 = budgetWith({ kind: "failures", ratio: 0.1, burst: 10, start: 10 });

// gRPC A6 with maxTokens 10, tokenRatio 0.1, as grpc-js 1.14.7 does it over a loopback server.
test("of requests with three attempts that all fail, the first makes 3, the second 2, and the rest 1", () => {
  const budget = createBudget(A6, 0);
  const made = Array.from({ length: 8 }, () => attemptsOf(budget, 3));
  assert.deepEqual(made, [3, 2, 1, 1, 1, 1, 1, 1]);
});

test("after an outage it takes successes to come back, a tenth each, to more than half", () => {
  const budget = createBudget(A6, 0);
  for (let n = 0; n < 100; n += 1) budget.hear?.("failed", n);
  for (let n = 0; n < 50; n += 1) budget.deposit("success", n);
  assert.equal(budget.tryWithdraw(0), false, "5 of 10 is not more than half");
  budget.deposit("success", 0);
  assert.equal(budget.tryWithdraw(0), true);
});

test("requests pay nothing in, time gives nothing, and successes never fill more than the bucket", () => {
  const budget = createBudget(A6, 0);
  for (let n = 0; n < 1000; n += 1) budget.deposit("success", n);
  assert.equal(budget.balance(0), 5);
  for (let n = 0; n < 10; n += 1) budget.hear?.("failed", n);
  for (let n = 0; n < 1000; n += 1) budget.deposit("request", n);
  assert.equal(budget.balance(1e9), 0);
  assert.equal(budget.tryWithdraw(1e9), false);
});
