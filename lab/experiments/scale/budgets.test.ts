import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { budgetWith } from "../../../services/policy/testdata/policies.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { budgetsOf, partOf } from "./budgets.ts";
import { SCALE_ARMS, instanceOf, type ScaleArm } from "./cases.ts";

test("A part of a budget keeps the share of the traffic, and has its part of all else", () => {
  const whole = budgetWith({ ratio: 0.2, burst: 100, start: 50, minPerSecond: 10 });
  assert.deepEqual(partOf(whole, 100), { ...whole, burst: 1, start: 0.5, minPerSecond: 0.1 });
});

/** Retries that `instances` can make in all, after `requests` at each, when all ask for as many as they can. */
function granted(arm: ScaleArm, budget: Parameters<typeof budgetWith>[0], instances: number, requests: number): number {
  const clock = new VirtualClock();
  const budgets = budgetsOf(arm, budgetWith(budget), instances, clock);
  let retries = 0;
  for (let step = 0; step < requests; step += 1) {
    clock.runUntil(clock.now() + 50);
    for (const one of budgets) one.deposit("request", clock.now());
    clock.runUntil(clock.now() + 50);
    for (const one of budgets) while (one.tryWithdraw(clock.now())) retries += 1;
  }
  return retries;
}

test("A start level is there once for each copy, once in all where it is shared, and rounds down in parts", () => {
  const start = { ratio: 0, burst: 15, start: 15 };
  assert.equal(granted("copied", start, 10, 3), 150);
  assert.equal(granted("divided", start, 10, 3), 10);
  assert.equal(granted("shared", start, 10, 3), 15);
  assert.equal(granted("leased", start, 10, 3), 15);
});

test("A burst whose part holds no whole retry is never spent, whatever the traffic earns", () => {
  const small = { ratio: 0.2, burst: 5 };
  assert.equal(granted("divided", small, 10, 100), 0);
  assert.ok(granted("shared", small, 10, 100) > 0);
});

test("No way to share a budget grants more than the one budget that was written down", () => {
  const terms = fc.record({
    ratio: fc.double({ min: 0, max: 1, noNaN: true }),
    burst: fc.integer({ min: 0, max: 50 }),
    minPerSecond: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(terms, fc.constantFrom("shared", "leased", "divided"), (budget, arm) => {
      const [instances, requests] = [8, 40];
      const start = budget.burst;
      const least = budget.minPerSecond > 0 && start < 1 ? 1 : 0;
      const allowed = start + least + budget.ratio * instances * requests + (budget.minPerSecond * requests) / 10;
      assert.ok(granted(arm as ScaleArm, { ...budget, start }, instances, requests) <= allowed + 1e-6);
    }),
    { numRuns: 60 },
  );
});

test("One who spends a shared budget spends it for the others too, and a copy is one's own", () => {
  for (const [arm, left] of [
    ["shared", false],
    ["copied", true],
  ] as const) {
    const clock = new VirtualClock();
    const [first, second] = budgetsOf(arm, budgetWith({ burst: 1, start: 1 }), 2, clock);
    assert.equal(first?.tryWithdraw(0), true);
    assert.equal(second?.tryWithdraw(0), left, arm);
  }
});

test("Every instance has clients, and the hot one has as many as was said", () => {
  const fleet = { clients: 1000, instances: 10 };
  const counts = (hotShare?: number): number[] => {
    const all = Array.from({ length: fleet.instances }, () => 0);
    for (let client = 0; client < fleet.clients; client += 1) {
      const instance = instanceOf(client, fleet, hotShare);
      all[instance] = (all[instance] ?? 0) + 1;
    }
    return all;
  };
  assert.deepEqual(
    counts(),
    Array.from({ length: 10 }, () => 100),
  );
  const [hot, ...others] = counts(0.3);
  assert.equal(hot, 300);
  assert.ok(others.every((one) => one === 77 || one === 78));
  assert.equal(SCALE_ARMS.length, 4);
});
