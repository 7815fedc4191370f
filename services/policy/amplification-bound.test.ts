import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chainBound, hopBound } from "./amplification-bound.ts";
import { createBudget } from "./budget/budget.ts";
import type { Reply } from "./outcome.ts";
import { budgetWith, policyWith } from "./testdata/policies.ts";

test("without a budget a hop is bounded by its attempts, and two hops of three by nine", () => {
  const naive = policyWith({ maxAttempts: 3 });
  assert.equal(hopBound(naive, 100, 10), 3);
  assert.equal(chainBound([naive, naive], 100, 10), 9);
});

test("a hop that does not own the retries makes one attempt for each request", () => {
  assert.equal(hopBound(policyWith({ retryOwner: false }), 100, 10), 1);
  const owner = policyWith({ maxAttempts: 4 });
  assert.equal(chainBound([owner, policyWith({ retryOwner: false })], 100, 10), 4);
});

test("a budget bounds a hop by its ratio, its start level and its floor together", () => {
  const budget = budgetWith({ ratio: 0.2, burst: 10, start: 10, minPerSecond: 2 });
  assert.equal(hopBound(policyWith({ budget }), 100, 10), 1 + (10 + 20 + 20) / 100);
});

// Case 19 of docs/cases.md.
test("a budget that starts full makes 20 % mean more than 20 % on a short run", () => {
  const full = policyWith({ budget: budgetWith({ burst: 100, start: 100 }) });
  const empty = policyWith({ budget: budgetWith({ burst: 100, start: 0 }) });
  assert.equal(hopBound(empty, 200, 2), 1.2);
  assert.equal(hopBound(full, 200, 2), 1.7);
});

test("a start level above the burst counts only as far as it can be held", () => {
  const budget = budgetWith({ ratio: 0, burst: 0, start: 5, minPerSecond: 1 });
  assert.equal(hopBound(policyWith({ budget }), 10, 1), 1.2);
});

test("the lower hop of a chain is bounded by the traffic that the upper one can send", () => {
  const hop = policyWith({ budget: budgetWith({ ratio: 0.2 }) });
  assert.ok(Math.abs(chainBound([hop, hop], 1200, 20) - 1.44) < 1e-12);
  const startsFull = policyWith({ budget: budgetWith({ ratio: 0, start: 10 }) });
  assert.ok(Math.abs(chainBound([startsFull, startsFull], 100, 1) - 1.2) < 1e-12);
});

test("second copies come on top of the attempts, and only where there is a replica to send them to", () => {
  const hedge = { trigger: { kind: "delay", delayMs: 10 }, ratio: 0.05 } as const;
  assert.equal(hopBound(policyWith({ maxAttempts: 3, hedge, replicas: 2 }), 100, 10), 3.05);
  assert.equal(hopBound(policyWith({ maxAttempts: 3, hedge }), 100, 10), 3);
});

test("a budget of its own for each of four instances starts four times and has four floors; a shared one has one of each", () => {
  const own = budgetWith({ ratio: 0.2, start: 10, minPerSecond: 2 });
  assert.equal(hopBound(policyWith({ budget: own, instances: 4, maxAttempts: 9 }), 100, 10), 1 + (40 + 20 + 80) / 100);
  const shared = { ...own, fleet: { lease: 2, floorPerSecond: 0 } };
  assert.equal(hopBound(policyWith({ budget: shared, instances: 4 }), 100, 10), 1 + (10 + 20 + 20) / 100);
});

test("a shared budget is bounded also for a run in which its store never answers", () => {
  const budget = budgetWith({ ratio: 0, fleet: { lease: 2, floorPerSecond: 0.5 } });
  assert.equal(hopBound(policyWith({ budget, instances: 4 }), 100, 10), 1 + 20 / 100);
});

test("a retry that is given back where it succeeds may be free once for each request, and no more", () => {
  const budget = budgetWith({ kind: "success", ratio: 1, burst: 500, start: 500, cost: 14, cost429: 5, refund: true });
  assert.equal(hopBound(policyWith({ budget, maxAttempts: 99 }), 1000, 10), 1 + (1000 + 1500 / 5) / 1000);
});

test("failures empty a bucket down to its half, and only successes bring more", () => {
  const budget = budgetWith({ kind: "failures", ratio: 0.1, burst: 10, start: 10 });
  assert.equal(hopBound(policyWith({ budget, maxAttempts: 99 }), 100, 10), 1 + (5 + 10) / 100);
});

test("a budget of what is under way at once bounds no sum: only the attempts do", () => {
  for (const kind of ["concurrent", "concurrent-window"] as const)
    assert.equal(hopBound(policyWith({ budget: budgetWith({ kind }), maxAttempts: 4 }), 100, 10), 4);
});

test("requests that fail and succeed at random stay below the bound, with refunds and with a bucket for failures", () => {
  const budgets = fc.record({
    kind: fc.constantFrom("success", "failures"),
    ratio: fc.double({ min: 0, max: 2, noNaN: true }),
    burst: fc.nat(20),
    start: fc.nat(20),
    cost: fc.integer({ min: 1, max: 14 }),
    cost429: fc.integer({ min: 1, max: 14 }),
    refund: fc.boolean(),
    minPerSecond: fc.constant(0),
  });
  /** How the attempts of a request end, in turn: its status. */
  const request = fc.array(fc.constantFrom(200, 429, 500), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(budgets, fc.array(request, { minLength: 1, maxLength: 100, size: "max" }), (changes, requests) => {
      const policy = policyWith({ maxAttempts: 1_000_000, budget: budgetWith(changes) });
      const budget = createBudget(policy.budget, 0);
      let retries = 0;
      for (const statuses of requests) {
        budget.deposit("request", 0);
        let last: Reply | undefined;
        for (const status of statuses) {
          if (last !== undefined && !budget.tryWithdraw(0, last)) break;
          if (last !== undefined) retries += 1;
          const reply: Reply = { outcome: status === 200 ? "ok" : "failed", status };
          if (status === 200) {
            budget.deposit("success", 0, last);
            break;
          }
          budget.hear?.("failed", 0);
          last = reply;
        }
      }
      const bound = hopBound(policy, requests.length, 0);
      assert.ok(1 + retries / requests.length <= bound + 1e-6, `${retries} retries, bound ${bound}`);
    }),
    { numRuns: 500 },
  );
});
