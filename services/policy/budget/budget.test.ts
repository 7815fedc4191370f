import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hopBound } from "../amplification-bound.ts";
import { createBudget, unlimited, type Budget } from "./budget.ts";
import { budgetWith, policyWith } from "../testdata/policies.ts";

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
  // Case 3 of docs/cases.md.
  test(`a ratio of ${ratio} grants that share of 10,000 failing calls, not more and not less`, () => {
    const retries = retriesOf(createBudget(budgetWith({ ratio }), 0), 10_000, 1);
    assert.ok(Math.abs(retries - ratio * 10_000) <= 1, `${retries} retries`);
  });
}

// Case 1 of docs/cases.md.
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

// Case 2 of docs/cases.md.
test("at 1 request per second a floor of 1 per second retries every transient error", () => {
  const budget = createBudget(budgetWith({ ratio: 0.1, burst: 10, minPerSecond: 1 }), -1000);
  assert.equal(retriesOf(budget, 100, 1000), 100);
});

test("at 1 request per second a ratio alone retries only that share", () => {
  assert.equal(retriesOf(createBudget(budgetWith({ ratio: 0.1 }), 0), 100, 1000), 10);
});

// Case 2 of docs/cases.md.
test("at 1,000 requests per second the floor adds at most itself", () => {
  const seconds = 10;
  const without = retriesOf(createBudget(budgetWith({ ratio: 0.1 }), 0), 1000 * seconds, 1);
  const withFloor = retriesOf(createBudget(budgetWith({ ratio: 0.1, minPerSecond: 10 }), 0), 1000 * seconds, 1);
  assert.ok(withFloor > without, "the floor adds something");
  assert.ok(withFloor - without <= 10 * seconds, `the floor added ${withFloor - without} retries in ${seconds} s`);
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

test("nor does it where nothing drips", () => {
  const budget = createBudget(budgetWith({ ratio: 0.2, burst: 10 }), 0);
  for (let i = 0; i < 1000; i += 1) budget.deposit("request", 0);
  assert.equal(budget.balance(0), 10);
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

test("without successes a success budget spends its start level and no more, with them it earns", () => {
  const policy = budgetWith({ kind: "success", ratio: 1, cost: 14, burst: 500, start: 500 });
  const outage = createBudget(policy, 0);
  assert.equal(retriesOf(outage, 400, 1), 35);
  for (let i = 0; i < 4; i += 1) outage.deposit("success", 400);
  assert.equal(outage.tryWithdraw(400), true, "10 left over and 4 earned make 14");
  assert.equal(outage.tryWithdraw(400), false);
});

test("one success after an outage does not refill the whole bucket", () => {
  const budget = createBudget(budgetWith({ kind: "success", ratio: 1, cost: 14, burst: 500, start: 0 }), 0);
  budget.deposit("success", 0);
  assert.ok(Math.abs(budget.balance(0) - 1 / 14) < 1e-12);
});

test("the price of a retry is paid by the floor as well", () => {
  const policy = budgetWith({ kind: "success", ratio: 0, cost: 14, burst: 0, minPerSecond: 2 });
  assert.equal(retriesOf(createBudget(policy, -500), 20, 500), 20);
  assert.equal(retriesOf(createBudget(policy, -500), 40, 250), 20);
});

for (const kind of ["window", "decayed"] as const) {
  for (const ratio of [0.1, 0.3, 0.6, 0.75, 0.9]) {
    test(`a ${kind} budget of ${ratio} grants that share of 10,000 failing calls`, () => {
      const budget = createBudget(budgetWith({ kind, ratio, windowMs: 1000 }), 0);
      const retries = retriesOf(budget, 10_000, 1);
      assert.ok(retries <= ratio * 10_000 + 1e-6 && retries >= 0.97 * ratio * 10_000, `${retries} retries`);
    });
  }

  // Case 1 of docs/cases.md.
  test(`a lone request at 100 % gets its retry from a ${kind} budget`, () => {
    const budget = createBudget(budgetWith({ kind, ratio: 1 }), 0);
    budget.deposit("request", 0);
    assert.equal(budget.tryWithdraw(0), true);
    assert.equal(budget.tryWithdraw(0), false);
  });

  test(`the floor of a ${kind} budget retries every error at 1 request per second`, () => {
    const budget = createBudget(budgetWith({ kind, ratio: 0.1, minPerSecond: 1 }), 0);
    assert.equal(retriesOf(budget, 100, 1000), 100);
  });

  test(`at 1,000 requests per second the floor of a ${kind} budget adds at most itself and one window of it`, () => {
    const count = (minPerSecond: number) =>
      retriesOf(createBudget(budgetWith({ kind, ratio: 0.1, minPerSecond, windowMs: 1000 }), 0), 10_000, 1);
    const added = count(10) - count(0);
    assert.ok(added > 90 && added <= 10 * 11, `the floor added ${added} retries in 10 s`);
  });

  test(`what a ${kind} budget saved up is gone after the traffic has stopped`, () => {
    const budget = createBudget(budgetWith({ kind, ratio: 0.2, windowMs: 1000 }), 0);
    for (let i = 0; i < 1000; i += 1) budget.deposit("request", i);
    assert.ok(budget.balance(999) > 100);
    assert.ok(budget.balance(9000) < 1, `${budget.balance(9000)}`);
    assert.equal(budget.tryWithdraw(9000), false);
  });
}

test("a window releases the credit of all its requests at once, which a bucket of a small burst does not", () => {
  const released = (kind: "window" | "token-bucket") => {
    const budget = createBudget(budgetWith({ kind, ratio: 0.2, burst: 10, minPerSecond: 10 }), 0);
    for (let i = 0; i < 10_000; i += 1) budget.deposit("request", i);
    let retries = 0;
    while (budget.tryWithdraw(9999)) retries += 1;
    return retries;
  };
  assert.equal(released("window"), 2100);
  assert.equal(released("token-bucket"), 10);
});

test("a request pays for a retry within its window and never again after it", () => {
  const budget = createBudget(budgetWith({ kind: "window", ratio: 1, windowMs: 1000 }), 0);
  budget.deposit("request", 0);
  assert.equal(budget.balance(999), 1);
  assert.equal(budget.balance(1000), 0);
  budget.deposit("request", 1000);
  assert.equal(budget.tryWithdraw(1900), true);
  budget.deposit("request", 2000);
  assert.equal(budget.tryWithdraw(2000), false, "the retry of 1,900 still counts, its request does not");
});

// Case 4 of docs/cases.md.
test("whatever happens, retries stay below the bound that is printed with the run, for every kind", () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3000)),
    event: fc.constantFrom("request", "retry", "retry", "success"),
  });
  const budgets = fc.record({
    kind: fc.constantFrom("token-bucket", "success", "window", "decayed"),
    ratio: fc.double({ min: 0, max: 2, noNaN: true }),
    burst: fc.nat(20),
    start: fc.nat(20),
    minPerSecond: fc.double({ min: 0, max: 20, noNaN: true }),
    cost: fc.double({ min: 0.5, max: 14, noNaN: true }),
    windowMs: fc.integer({ min: 100, max: 5000 }),
  });
  fc.assert(
    fc.property(budgets, fc.array(step, { minLength: 1, maxLength: 300, size: "max" }), (changes, steps) => {
      const policy = policyWith({ maxAttempts: 1_000_000, budget: budgetWith(changes) });
      const budget = createBudget(policy.budget, 0);
      let [now, requests, successes, retries] = [0, 0, 0, 0];
      for (const { waitMs, event } of steps) {
        now += waitMs;
        if (event === "retry") retries += budget.tryWithdraw(now) ? 1 : 0;
        else if (event === "request") requests += 1;
        else if (successes === requests) continue;
        else successes += 1;
        if (event !== "retry") budget.deposit(event, now);
        assert.ok(budget.balance(now) >= 0);
        if (requests === 0) continue;
        const bound = hopBound(policy, requests, now / 1000);
        assert.ok(1 + retries / requests <= bound + 1e-6, `${retries} retries of ${requests} requests, bound ${bound}`);
      }
    }),
    { numRuns: 1000 },
  );
});
