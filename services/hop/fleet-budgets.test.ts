import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../telemetry/metrics.ts";
import { silent } from "../http/testdata/http.ts";
import { budgetWith } from "../policy/testdata/policies.ts";
import { VirtualClock } from "../virtual-time/clock.ts";
import type { AskStore } from "../policy/budget/fleet.ts";
import { sharedBudgets } from "./fleet-budgets.ts";

/** Shared budgets whose store answers while `here` says so. */
function budgets(log = silent) {
  const clock = new VirtualClock();
  const state = { here: false };
  const ask: AskStore = (_request, done) => done(state.here ? { granted: 1, left: 1 } : undefined);
  const store = { asker: () => ask, close: () => {}, fault: () => "NOAUTH" };
  const shared = sharedBudgets({ hop: "api", store, metrics: createMetrics("api"), log, clock });
  return { clock, state, shared };
}

const POLICY = budgetWith({ kind: "token-bucket", fleet: { lease: 2, floorPerSecond: 1 } });

test("How long the store of a shared budget has not answered is counted from the run's beginning", () => {
  const { clock, state, shared } = budgets();
  assert.equal(shared.stats().store, undefined);
  const budget = shared.fresh(POLICY);
  clock.runUntil(5000);
  assert.deepEqual(shared.stats().store, { answers: 0, awayMs: 5000 });
  shared.begin("run");
  clock.runUntil(8000);
  assert.deepEqual(shared.stats().store, { answers: 0, awayMs: 3000 });
  state.here = true;
  budget?.deposit("request", clock.now());
  const { answers = 0, awayMs } = shared.stats().store ?? {};
  assert.ok(answers > 0);
  assert.equal(awayMs, 3000);
  clock.runUntil(60_000);
  assert.equal(shared.stats().store?.awayMs, 3000);
});

test("That a store is away is logged with the reason, once", () => {
  const said: unknown[][] = [];
  const log = { ...silent, warn: (...words: unknown[]) => void said.push(words) } as typeof silent;
  const { shared, clock } = budgets(log);
  const budget = shared.fresh(POLICY);
  for (let n = 1; n <= 5; n += 1) {
    clock.runUntil(n * 5000);
    budget?.deposit("request", clock.now());
  }
  assert.deepEqual(
    said.map(([fields]) => fields),
    [{ reason: "NOAUTH" }],
  );
});

test("Where the policy shares no budget there is no store to speak of", () => {
  const { shared } = budgets();
  shared.fresh(budgetWith({ kind: "token-bucket" }));
  assert.equal(shared.stats().store, undefined);
});
