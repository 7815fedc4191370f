import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { budgetWith, policyWith } from "../../services/policy/testdata/policies.ts";
import { callsPerRequest, edgesOf } from "./equilibrium.ts";

const NAIVE = [policyWith({}), policyWith({})];
const BUDGETED = [policyWith({ budget: budgetWith({}) }), policyWith({ budget: budgetWith({}) })];

test("Two hops of three at 40 % errors can be healthy up to 54 req/s of 90, as others have computed", () => {
  const { healthyUpTo, recoversBelow } = edgesOf(NAIVE, 90, 0.4);
  assert.ok(Math.abs(healthyUpTo - 54) < 0.3, String(healthyUpTo));
  assert.equal(recoversBelow, 10);
});

test("Without errors a request costs one call, and where all fails it costs the product of the attempts", () => {
  assert.equal(callsPerRequest(NAIVE, 0), 1);
  assert.equal(callsPerRequest(NAIVE, 1), 9);
});

test("A budget bounds what a broken chain costs, so it recovers at almost any load", () => {
  assert.ok(Math.abs(callsPerRequest(BUDGETED, 1) - 1.44) < 1e-12);
  assert.ok(edgesOf(BUDGETED, 90, 0.4).recoversBelow > 60);
});

test("A hop that does not own the retries costs nothing", () => {
  assert.equal(callsPerRequest([policyWith({}), policyWith({ retryOwner: false })], 1), 3);
});

test("More errors never cost fewer calls, and a broken chain is never cheaper than a healthy one", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, fc.constantFrom(NAIVE, BUDGETED), (a, b, hops) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(callsPerRequest(hops, less) <= callsPerRequest(hops, more) + 1e-9);
      const { healthyUpTo, recoversBelow } = edgesOf(hops, 90, less);
      assert.ok(recoversBelow <= healthyUpTo + 1e-9);
    }),
  );
});
