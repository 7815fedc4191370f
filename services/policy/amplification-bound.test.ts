import assert from "node:assert/strict";
import { test } from "node:test";
import { chainBound, hopBound } from "./amplification-bound.ts";
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
