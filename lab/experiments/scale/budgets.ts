/** The budgets of a fleet's instances, from one budget that was meant for all of them. */
import { FleetBudget, sharedTerms, type AskStore, type SharedTerms } from "../../../services/policy/budget/fleet.ts";
import { createBudget, type Budget, type BudgetPolicy } from "../../../services/policy/budget/budget.ts";
import type { Clock } from "../../../services/policy/clock.ts";
import type { ScaleArm } from "./cases.ts";

/** To the store and back, in milliseconds: within one data centre. */
const STORE_MS = 1;
const LEASE = 2;

/** A part of what is not a share of the traffic. */
export function partOf(policy: BudgetPolicy, instances: number): BudgetPolicy {
  return {
    ...policy,
    burst: policy.burst / instances,
    start: policy.start / instances,
    minPerSecond: policy.minPerSecond / instances,
  };
}

/** The shared bucket in memory, a link away; the arithmetic is that of the store's script. */
function storeOf({ most, start, perSecond }: SharedTerms, clock: Clock): AskStore {
  let tokens = start;
  let at = clock.now();
  return ({ deposit, want }, done) => {
    clock.after(STORE_MS / 2, () => {
      const now = clock.now();
      const held = Math.min(most, tokens + ((now - at) * perSecond) / 1000 + deposit);
      const granted = Math.min(want, Math.floor(held + 1e-9));
      tokens = Math.max(0, held - granted);
      at = now;
      clock.after(STORE_MS / 2, () => done({ granted, left: tokens }));
    });
  };
}

function leased(policy: BudgetPolicy, instances: number, clock: Clock): Budget[] {
  const ask = storeOf(sharedTerms(policy), clock);
  const terms = { lease: LEASE, floorPerSecond: 0 };
  return Array.from({ length: instances }, () => new FleetBudget(policy, terms, { ask, clock }));
}

/** One for each instance; one and the same where they share it. */
export function budgetsOf(arm: ScaleArm, policy: BudgetPolicy, instances: number, clock: Clock): Budget[] {
  const now = clock.now();
  switch (arm) {
    case "copied":
      return Array.from({ length: instances }, () => createBudget(policy, now));
    case "divided":
      return Array.from({ length: instances }, () => createBudget(partOf(policy, instances), now));
    case "leased":
      return leased(policy, instances, clock);
    case "shared":
      return Array.from<Budget>({ length: instances }).fill(createBudget(policy, now));
  }
}
