import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget, type Budget } from "./budget.ts";
import { budgetWith } from "../testdata/policies.ts";
import type { Reply } from "../outcome.ts";

const BROKEN: Reply = { outcome: "failed", status: 500 };
const THROTTLED: Reply = { outcome: "overloaded", status: 429 };
const AWS = budgetWith({ kind: "success", ratio: 1, burst: 500, start: 500, cost: 14, cost429: 5, refund: true });

/** Retries of an outage of `requests` whose every attempt is answered with `reply`. */
function retriesOf(budget: Budget, requests: number, reply: Reply): number {
  let retries = 0;
  for (let n = 0; n < requests; n += 1) if (budget.tryWithdraw(0, reply)) retries += 1;
  return retries;
}

// @smithy/core 3.41.1 in a total outage of 400 requests; before November 2026 a retry cost 10.
for (const [name, cost, reply, retries] of [
  ["2026", 14, BROKEN, 35],
  ["before 2026", 10, BROKEN, 50],
  ["throttled", 14, THROTTLED, 100],
] as const) {
  test(`${name}: 500 tokens are ${retries} retries in a total outage`, () => {
    assert.equal(retriesOf(createBudget({ ...AWS, cost }, 0), 400, reply), retries);
  });
}

test("a first-try success after the outage gives one token: 10 are left, then 11", () => {
  const budget = createBudget(AWS, 0);
  retriesOf(budget, 400, BROKEN);
  assert.equal(budget.balance(0) * 14, 10);
  budget.deposit("success", 0);
  assert.equal(budget.balance(0) * 14, 11);
});

test("a retry that succeeds costs nothing in the end, and one after 429 gives back its own price", () => {
  const budget = createBudget({ ...AWS, start: 100 }, 0);
  assert.equal(budget.tryWithdraw(0, BROKEN), true);
  budget.deposit("success", 0, BROKEN);
  assert.equal(budget.balance(0) * 14, 100);
  assert.equal(budget.tryWithdraw(0, THROTTLED), true);
  assert.ok(Math.abs(budget.balance(0) * 14 - 95) < 1e-9);
  budget.deposit("success", 0, THROTTLED);
  assert.ok(Math.abs(budget.balance(0) * 14 - 100) < 1e-9);
});

test("of two retries of one request, only the last is given back", () => {
  const budget = createBudget({ ...AWS, start: 100 }, 0);
  budget.tryWithdraw(0, BROKEN);
  budget.tryWithdraw(0, BROKEN);
  budget.deposit("success", 0, BROKEN);
  assert.ok(Math.abs(budget.balance(0) * 14 - 86) < 1e-9);
});

test("nothing fills it above its burst, and without refunds a success is a success", () => {
  const full = createBudget(AWS, 0);
  full.deposit("success", 0, BROKEN);
  assert.equal(full.balance(0) * 14, 500);
  const plain = createBudget({ ...AWS, start: 0, refund: false }, 0);
  plain.deposit("success", 0, BROKEN);
  assert.ok(Math.abs(plain.balance(0) * 14 - 1) < 1e-9);
});
