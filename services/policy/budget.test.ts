import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hopBound } from "./bound.ts";
import { createBudget, unlimited, type Budget } from "./budget.ts";
import { budgetWith, policyWith } from "./testdata/policies.ts";

/** Retries granted when each of `calls` requests fails once, `everyMs` apart. */
function retriesOf(budget: Budget, calls: number, everyMs: number): number {
  let retries = 0;
  for (let i = 0; i < calls; i += 1) {
    budget.deposit("request", i * everyMs);
    if (budget.tryWithdraw(i * everyMs)) retries += 1;
  }
  return retries;
}

for (const ratio of [0.1, 0.3, 0.6, 0.75, 0.9, 1]) {
  test(`a ratio of ${ratio} grants that share of 10,000 failing calls, not more and not less`, () => {
    const retries = retriesOf(createBudget(budgetWith({ ratio }), 0), 10_000, 1);
    assert.ok(Math.abs(retries - ratio * 10_000) <= 1, `${retries} retries`);
  });
}

test("a lone request at 100 % gets its one retry", () => {
  const budget = createBudget(budgetWith({ ratio: 1 }), 0);
  budget.deposit("request", 0);
  assert.equal(budget.tryWithdraw(5), true);
  assert.equal(budget.tryWithdraw(6), false);
});

test("ten deposits of a tenth buy one retry, whatever binary fractions lose", () => {
  const budget = createBudget(budgetWith({ ratio: 0.1 }), 0);
  for (let i = 0; i < 10; i += 1) budget.deposit("request", 0);
  assert.equal(budget.tryWithdraw(0), true);
});

test("at 1 request per second a floor of 1 per second retries every transient error", () => {
  const budget = createBudget(budgetWith({ ratio: 0.1, burst: 10, minPerSecond: 1 }), -1000);
  assert.equal(retriesOf(budget, 100, 1000), 100);
});

test("at 1 request per second a ratio alone retries only that share", () => {
  assert.equal(retriesOf(createBudget(budgetWith({ ratio: 0.1 }), 0), 100, 1000), 10);
});

test("at 1,000 requests per second the floor adds at most itself", () => {
  const seconds = 10;
  const without = retriesOf(createBudget(budgetWith({ ratio: 0.1 }), 0), 1000 * seconds, 1);
  const withFloor = retriesOf(
    createBudget(budgetWith({ ratio: 0.1, minPerSecond: 10 }), 0),
    1000 * seconds,
    1,
  );
  assert.ok(withFloor > without, "the floor adds something");
  assert.ok(
    withFloor - without <= 10 * seconds,
    `the floor added ${withFloor - without} retries in ${seconds} s`,
  );
});

test("a floor is spendable even where nothing can be saved up", () => {
  const budget = createBudget(budgetWith({ ratio: 0, burst: 0, minPerSecond: 1 }), 0);
  assert.equal(budget.tryWithdraw(0), false);
  assert.equal(budget.tryWithdraw(1000), true);
});

test("the start level is what a fresh budget can spend, and no more than the burst", () => {
  assert.equal(retriesOf(createBudget(budgetWith({ ratio: 0, start: 7 }), 0), 100, 1), 7);
  assert.equal(retriesOf(createBudget(budgetWith({ ratio: 0, burst: 5, start: 7 }), 0), 100, 1), 5);
});

test("what is saved up never exceeds the burst", () => {
  const budget = createBudget(budgetWith({ burst: 10, minPerSecond: 5 }), 0);
  for (let i = 0; i < 10_000; i += 1) budget.deposit("request", i);
  assert.equal(budget.balance(10_000), 10);
});

test("a refusal takes nothing, and a success is not a request", () => {
  const budget = createBudget(budgetWith({ ratio: 0.5 }), 0);
  budget.deposit("request", 0);
  budget.deposit("success", 0);
  assert.equal(budget.tryWithdraw(0), false);
  assert.equal(budget.balance(0), 0.5);
});

test("a clock that reports an earlier time gives and takes nothing", () => {
  const budget = createBudget(budgetWith({ ratio: 0, burst: 10, minPerSecond: 1 }), 1000);
  assert.equal(budget.balance(3000), 2);
  assert.equal(budget.balance(500), 2);
});

test("without a budget nothing is refused", () => {
  assert.equal(createBudget(budgetWith({ kind: "none" }), 0), unlimited);
  assert.equal(retriesOf(unlimited, 1000, 0), 1000);
  assert.equal(unlimited.balance(0), Infinity);
});

test("whatever happens, retries stay below the bound that is printed with the run", () => {
  const traffic = fc.array(
    fc.record({ waitMs: fc.nat(500), event: fc.constantFrom("request", "retry", "success") }),
    {
      minLength: 1,
      maxLength: 300,
    },
  );
  const budgets = fc.record({
    ratio: fc.double({ min: 0, max: 2, noNaN: true }),
    burst: fc.nat(20),
    start: fc.nat(20),
    minPerSecond: fc.double({ min: 0, max: 20, noNaN: true }),
  });
  fc.assert(
    fc.property(budgets, traffic, (changes, events) => {
      const policy = policyWith({ maxAttempts: 1_000_000, budget: budgetWith(changes) });
      const budget = createBudget(policy.budget, 0);
      let [now, requests, retries] = [0, 0, 0];
      for (const { waitMs, event } of events) {
        now += waitMs;
        if (event === "retry") retries += budget.tryWithdraw(now) ? 1 : 0;
        else budget.deposit(event, now);
        if (event === "request") requests += 1;
        assert.ok(budget.balance(now) >= 0);
      }
      fc.pre(requests > 0);
      assert.ok(
        1 + retries / requests <= hopBound(policy, requests, now / 1000) + 1e-6,
        `${retries} of ${requests}`,
      );
    }),
  );
});
