import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget, type Budget } from "./budget.ts";
import { budgetWith } from "../testdata/policies.ts";

/** Twenty seconds of 1,000 requests/s: ten that succeed, then an outage in which each request asks for two retries. */
function outage(budget: Budget): number[] {
  const perSecond = Array.from({ length: 22 }, () => 0);
  for (let ms = 0; ms < 32_000; ms += 1) {
    budget.deposit("request", ms);
    if (ms < 10_000) {
      budget.deposit("success", ms);
      continue;
    }
    for (let n = 0; n < 2; n += 1) {
      if (budget.tryWithdraw(ms))
        perSecond[Math.floor(ms / 1000) - 10] = (perSecond[Math.floor(ms / 1000) - 10] ?? 0) + 1;
    }
  }
  return perSecond;
}

const WINDOW = budgetWith({ kind: "window", ratio: 0.2, minPerSecond: 10 });

// Finagle's RetryBudget() in RetryFilter: every request pays in. Numbers of a port of its bucket.
test("where requests pay in, an outage at 1,000/s gets 2,000 retries, then 100, then none for eight seconds, and again", () => {
  const perSecond = outage(createBudget(WINDOW, 0));
  assert.deepEqual(perSecond.slice(0, 10), [2000, 100, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(perSecond.slice(10, 20), [2000, 100, 0, 0, 0, 0, 0, 0, 0, 0]);
});

// Linkerd's ServiceProfile and Finagle's RequeueFilter: only what succeeded pays in.
test("where successes pay in, the same outage lives on its window once, then on its floor of 10/s, all at once", () => {
  const perSecond = outage(createBudget({ ...WINDOW, paidBy: "success" }, 0));
  assert.ok((perSecond[0] ?? 0) > 1800, String(perSecond[0]));
  assert.deepEqual(perSecond.slice(2, 10), [0, 0, 0, 0, 0, 0, 0, 0]);
  assert.ok(perSecond.slice(10).reduce((sum, each) => sum + each, 0) <= 200, String(perSecond.slice(10)));
});

test("a fresh window of 20 % and 10/s affords 100 retries, and 300 after 1,000 requests", () => {
  const budget = createBudget(WINDOW, 0);
  assert.equal(budget.balance(0), 100);
  for (let n = 0; n < 1000; n += 1) budget.deposit("request", n);
  assert.equal(Math.round(budget.balance(999)), 300);
});

test("a decayed budget can be paid by successes, too", () => {
  const budget = createBudget(budgetWith({ kind: "decayed", ratio: 0.5, paidBy: "success" }), 0);
  budget.deposit("request", 0);
  assert.equal(budget.balance(0), 0);
  budget.deposit("success", 0);
  assert.equal(budget.balance(0), 0.5);
});
