import assert from "node:assert/strict";
import { test } from "node:test";
import { limitOf, type FaultsFrom, type LoadPlan } from "./limit.ts";

const STEADY: LoadPlan = { rate: 60, durationS: 20, rateProfile: [] };
const since = (atS: number, capacity: number, errorRate: number): FaultsFrom => ({
  atMs: atS * 1000,
  capacity,
  errorRate,
});

const CASES: readonly {
  readonly why: string;
  readonly plan?: Partial<LoadPlan>;
  readonly history: readonly FaultsFrom[];
  readonly success: number;
  readonly amplification: number;
}[] = [
  {
    why: "The reference run can reach 90 % at 1.5 calls a request",
    history: [since(0, 90, 0.4)],
    success: 0.9,
    amplification: 1.5,
  },
  {
    why: "With room to spare everything can succeed, at 1 / (1 − error) calls",
    history: [since(0, 1000, 0.5)],
    success: 1,
    amplification: 2,
  },
  {
    why: "A healthy backend needs one call a request",
    history: [since(0, 200, 0)],
    success: 1,
    amplification: 1,
  },
  {
    why: "A backend that only fails gives nothing",
    history: [since(0, 90, 1)],
    success: 0,
    amplification: 0,
  },
  {
    why: "What could not be served in a dip can be served after it",
    history: [since(0, 200, 0), since(5, 30, 0), since(10, 200, 0)],
    success: 1,
    amplification: 1,
  },
  {
    why: "Room before a dip does not help those who come in it",
    history: [since(0, 200, 0), since(10, 30, 0)],
    success: 0.75,
    amplification: 0.75,
  },
  {
    why: "The rate's own steps count",
    plan: { rateProfile: [{ atS: 10, rate: 120, ramp: false }] },
    history: [since(0, 60, 0)],
    success: 1200 / 1800,
    amplification: 1200 / 1800,
  },
];

for (const { why, plan, history, success, amplification } of CASES) {
  test(why, () => {
    const limit = limitOf({ ...STEADY, ...plan }, history);
    assert.ok(Math.abs(limit.successRate! - success) < 1e-6, `success ${limit.successRate}`);
    assert.ok(Math.abs(limit.amplification! - amplification) < 1e-6, `amplification ${limit.amplification}`);
  });
}

test("A load of nothing has no limit", () => {
  assert.deepEqual(limitOf({ ...STEADY, rate: 0 }, [since(0, 90, 0.4)]), {
    successRate: null,
    amplification: null,
  });
});
