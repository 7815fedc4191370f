import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { hopBound } from "../amplification-bound.ts";
import { FleetBudget, sharedTerms } from "./fleet.ts";
import type { BudgetPolicy, FleetTerms } from "./budget-types.ts";
import { budgetWith, policyWith } from "../testdata/policies.ts";
import { Pot, type PotMood } from "../testdata/pot.ts";

const TERMS: FleetTerms = { lease: 2, floorPerSecond: 1 };

function fleetOf(instances: number, changes: Partial<BudgetPolicy> = {}, terms = TERMS) {
  const clock = new VirtualClock();
  const policy = budgetWith(changes);
  const pot = new Pot(sharedTerms(policy), () => clock.now());
  const heard: string[] = [];
  const watch = {
    asked: (answer: string, granted: number) => heard.push(`${answer} ${granted}`),
    spent: (source: string) => heard.push(source),
  };
  const make = () => new FleetBudget(policy, terms, { ask: pot.ask, clock, watch });
  const budgets = Array.from({ length: instances }, make);
  const wait = (ms: number): void => {
    clock.after(ms, () => {});
    clock.runUntilIdle();
  };
  const [first] = budgets;
  assert.ok(first !== undefined);
  /** Withdraws again and again, as fast as the store may be asked; returns how many retries it got. */
  const drain = (budget: FleetBudget, tries: number): number => {
    let got = 0;
    for (let n = 0; n < tries; n += 1) {
      if (budget.tryWithdraw(clock.now())) got += 1;
      wait(20);
    }
    return got;
  };
  return { clock, pot, heard, budgets, first, wait, drain };
}

test("four instances with one budget get its start level once, not four times", () => {
  const { budgets, drain } = fleetOf(4, { ratio: 0, start: 10 });
  assert.equal(
    budgets.map((budget) => drain(budget, 20)).reduce((sum, got) => sum + got, 0),
    10,
  );
});

test("what one instance earns, another may spend", () => {
  const { budgets, clock, wait, drain } = fleetOf(2, { ratio: 0.5 });
  const [healthy, sick] = budgets;
  assert.ok(healthy !== undefined && sick !== undefined);
  for (let n = 0; n < 20; n += 1) {
    healthy.deposit("request", clock.now());
    wait(20);
  }
  // The healthy one keeps its lease of two ready.
  assert.equal(drain(sick, 30), 8);
});

test("a decision takes what is leased and never waits for the store", () => {
  const { first, pot, clock, wait } = fleetOf(1, { start: 10 });
  pot.mood = "later";
  wait(20);
  assert.deepEqual(
    [1, 2, 3].map(() => first.tryWithdraw(clock.now())),
    [true, true, false],
  );
  pot.deliver();
  assert.equal(first.tryWithdraw(clock.now()), true);
});

test("there is never more than one question under way, and at most one in 20 ms", () => {
  const { first, pot, clock, wait } = fleetOf(1, { start: 10 });
  pot.mood = "later";
  wait(20);
  for (let n = 0; n < 100; n += 1) first.tryWithdraw(clock.now());
  assert.equal(pot.asked.length, 2);
  pot.mood = "well";
  pot.deliver();
  for (let n = 0; n < 100; n += 1) first.deposit("request", clock.now());
  assert.equal(pot.asked.length, 2);
  wait(20);
  first.deposit("request", clock.now());
  assert.equal(pot.asked.length, 3);
});

describe("When the store is gone, the budget fails closed:", () => {
  test("leases run out, and then there is the floor and nothing else", () => {
    const { first, pot, drain, heard } = fleetOf(1, { ratio: 1, start: 10 });
    pot.mood = "deaf";
    assert.equal(drain(first, 200), 2 + 3, "the lease, and the floor of 1/s for 4 s less a fraction");
    assert.equal(heard.filter((what) => what === "floor").length, 3);
  });

  test("with a floor of 0 nothing is tried again", () => {
    const { first, pot, drain } = fleetOf(1, { ratio: 1, start: 10 }, { lease: 1, floorPerSecond: 0 });
    pot.mood = "deaf";
    assert.equal(drain(first, 500), 1);
  });

  test("it is asked less and less often, and for nothing, so that it has no debts when it goes on", () => {
    const { first, pot, drain } = fleetOf(1, { ratio: 1, start: 10 });
    pot.mood = "deaf";
    const before = pot.asked.length;
    drain(first, 500);
    const [doubtful, ...probes] = pot.asked.slice(before);
    assert.ok((doubtful?.want ?? 0) > 0);
    assert.ok(probes.length >= 10 && probes.length <= 20, `${probes.length} questions in 10 s`);
    for (const { deposit, want } of probes) assert.deepEqual([deposit, want], [0, 0]);
  });

  test("what is earned meanwhile is not offered to who may have taken it already", () => {
    const { first, pot, clock, wait } = fleetOf(1, { ratio: 1, burst: 5 });
    pot.mood = "mute";
    for (let n = 0; n < 100; n += 1) {
      first.deposit("request", clock.now());
      wait(20);
    }
    const [, unanswered, ...probes] = pot.asked;
    assert.ok(unanswered !== undefined && unanswered.deposit > 0);
    assert.ok(probes.length > 0 && probes.every(({ deposit }) => deposit === 0));
  });

  test("and once it answers again, leases come at the next question", () => {
    const { first, pot, clock, drain, wait, heard } = fleetOf(1, { ratio: 0, start: 10 });
    pot.mood = "deaf";
    drain(first, 50);
    pot.mood = "well";
    wait(1000);
    heard.length = 0;
    first.tryWithdraw(clock.now());
    assert.deepEqual(heard.slice(-2), ["empty 0", "granted 2"]);
    assert.equal(first.tryWithdraw(clock.now()), true);
    wait(1000);
    assert.equal(first.balance(clock.now()), 1, "the floor is closed again");
  });
});

test("a store that has forgotten everything gives nobody the start level again", () => {
  const { first, pot, drain } = fleetOf(1, { ratio: 0, start: 10 });
  assert.equal(drain(first, 20), 10);
  pot.forget();
  assert.equal(drain(first, 20), 0);
});

test("what was earned while the store was gone is handed over when it is back, once, and at most a burst", () => {
  const { first, pot, clock, wait, drain } = fleetOf(1, { ratio: 1, burst: 5 }, { lease: 1, floorPerSecond: 0 });
  pot.mood = "deaf";
  for (let n = 0; n < 100; n += 1) {
    first.deposit("request", clock.now());
    wait(20);
  }
  pot.mood = "well";
  wait(1000);
  assert.equal(drain(first, 50), 5);
});

test("successes fill a shared bucket that counts successes, at its price", () => {
  const { first, clock, wait, drain } = fleetOf(1, { kind: "success", ratio: 1, cost: 5, burst: 100 });
  for (let n = 0; n < 50; n += 1) {
    first.deposit("request", clock.now());
    first.deposit("success", clock.now());
    wait(20);
  }
  assert.equal(drain(first, 50), 10);
});

const MOODS: readonly PotMood[] = ["well", "later", "deaf", "mute"];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("call"), who: fc.nat(), fails: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("mood"), mood: fc.constantFrom(...MOODS) }) },
  { weight: 1, arbitrary: fc.constant({ do: "deliver" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "forget" } as const) },
);

test("whatever the store does, all instances together never retry more than the bound says", () => {
  const budgetOf = fc.record({
    kind: fc.constantFrom("token-bucket" as const, "success" as const),
    ratio: fc.constantFrom(0, 0.1, 0.5, 2),
    burst: fc.constantFrom(1, 10),
    start: fc.constantFrom(0, 5, 10),
    minPerSecond: fc.constantFrom(0, 3),
    cost: fc.constantFrom(1, 3),
  });
  const terms = fc.record({
    lease: fc.integer({ min: 1, max: 6 }),
    floorPerSecond: fc.constantFrom(0, 0.5, 4),
  });
  let most = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      budgetOf,
      terms,
      fc.array(step, { maxLength: 200 }),
      (k, policy, fleet, steps) => {
        const { clock, pot, budgets, wait } = fleetOf(k, policy, fleet);
        let [requests, retries] = [0, 0];
        for (const each of steps) {
          if ("ms" in each) wait(each.ms);
          else if ("mood" in each) pot.mood = each.mood;
          else if (each.do === "deliver") pot.deliver();
          else if (each.do === "forget") pot.forget();
          else if ("who" in each) {
            const budget = budgets[each.who % k];
            requests += 1;
            budget?.deposit("request", clock.now());
            for (let n = 0; n < each.fails; n += 1) if (budget?.tryWithdraw(clock.now())) retries += 1;
            budget?.deposit("success", clock.now());
          }
        }
        if (requests === 0) return;
        const hop = policyWith({ maxAttempts: 1000, instances: k, budget: { ...policy, fleet } });
        const bound = (hopBound(hop, requests, clock.now() / 1000) - 1) * requests;
        assert.ok(retries <= bound + 1e-6, `${retries} retries, and the bound says ${bound}`);
        if (bound > 0) most = Math.max(most, retries / bound);
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
  assert.ok(most > 0.9, `the nearest that any of them came to the bound was ${most} of it`);
});
