import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget, type Budget } from "./budget.ts";
import { budgetWith } from "../testdata/policies.ts";

const ENVOY = budgetWith({ kind: "concurrent", ratio: 0.2, minConcurrent: 3 });

function begin(budget: Budget, attempts: number, now = 0): void {
  for (let n = 0; n < attempts; n += 1) budget.hear?.("begun", now);
}

/** Retries granted in one moment to callers who all ask. */
function granted(budget: Budget, asked: number, now = 0): number {
  let count = 0;
  for (let n = 0; n < asked; n += 1) if (budget.tryWithdraw(now)) count += 1;
  return count;
}

// Envoy, retry_budget: 20 % of what is active, at least 3.
for (const [inFlight, most] of [
  [0, 3],
  [10, 3],
  [15, 3],
  [18, 3],
  [100, 20],
  [1000, 200],
] as const) {
  test(`with ${inFlight} attempts in flight at most ${most} retries are under way`, () => {
    const budget = createBudget(ENVOY, 0);
    begin(budget, inFlight);
    assert.equal(granted(budget, 1000), most);
  });
}

test("a retry that has been judged makes room for one, and an attempt that has ended takes room away", () => {
  const budget = createBudget(ENVOY, 0);
  begin(budget, 100);
  assert.equal(granted(budget, 1000), 20);
  budget.hear?.("settled", 5);
  assert.equal(granted(budget, 1000), 1);
  for (let n = 0; n < 50; n += 1) budget.hear?.("ended", 5);
  for (let n = 0; n < 11; n += 1) budget.hear?.("settled", 5);
  assert.equal(granted(budget, 1000), 1, "20 - 11 = 9 under way, of 10");
});

test("the balance is what may still begin", () => {
  const budget = createBudget(ENVOY, 0);
  begin(budget, 100);
  assert.equal(budget.balance(0), 20);
  assert.equal(granted(budget, 5), 5);
  assert.equal(budget.balance(0), 15);
});

test("time alone and requests alone give nothing", () => {
  const budget = createBudget(ENVOY, 0);
  assert.equal(granted(budget, 10), 3);
  budget.deposit("request", 1e6);
  budget.deposit("success", 1e6);
  assert.equal(granted(budget, 10, 1e6), 0);
});

test("a ratio of 0 is a plain limit: Envoy's max_retries of 3", () => {
  const budget = createBudget({ ...ENVOY, ratio: 0 }, 0);
  begin(budget, 100_000);
  assert.equal(granted(budget, 10), 3);
});

// Envoy, retry_budget.budget_interval: what has begun in the interval, instead of what is active.
test("with an interval the share is of all that began in it: a fifth of ten seconds at once", () => {
  const budget = createBudget({ ...ENVOY, kind: "concurrent-window", windowMs: 10_000 }, 0);
  for (let n = 0; n < 10_000; n += 1) {
    budget.hear?.("begun", n);
    budget.hear?.("ended", n);
  }
  assert.equal(granted(budget, 10_000, 9999), 2000);
  for (let n = 0; n < 2000; n += 1) budget.hear?.("settled", 15_000);
  assert.equal(granted(budget, 10_000, 15_000), 800, "the first six seconds are forgotten");
  for (let n = 0; n < 800; n += 1) budget.hear?.("settled", 30_000);
  assert.equal(granted(budget, 10_000, 30_000), 3);
});
