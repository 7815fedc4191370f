import assert from "node:assert/strict";
import { test } from "node:test";
import type { TierSummary } from "./run-summary.ts";
import { invalidReasons, type Evidence } from "./validity.ts";

const TIER: TierSummary = {
  arrivals: 1000,
  attempts: 1000,
  unsent: 0,
  lost: 0,
  bound: 3,
  cpuShare: 0.3,
  stopReasons: {},
};

const GENERATOR: Evidence["generator"] = {
  mode: "open",
  scheduled: 1000,
  sent: 1000,
  dropped: 0,
  late: 3,
  lateP99Ms: 1,
  lateMaxMs: 9,
  cpuShare: 0.2,
};

const FINE: Evidence = {
  generator: GENERATOR,
  underWay: 0,
  clientLost: 0,
  tiers: { edge: TIER, api: TIER, backend: TIER },
  lagMs: { edge: 2, api: 2, backend: 2 },
  timeoutShare: 0,
  backendIsSlow: false,
  incidents: [],
};

test("A run with nothing against it is valid", () => assert.deepEqual(invalidReasons(FINE), []));

const SPOILED: readonly (readonly [why: string, change: Partial<Evidence>, reason: RegExp])[] = [
  [
    "More than 1 % late requests",
    { generator: { ...GENERATOR, late: 11 } },
    /could not keep its schedule: 11 of 1000 requests went out more than 5 ms late/,
  ],
  ["A p99 that is late", { generator: { ...GENERATOR, lateP99Ms: 5.1 } }, /could not keep its schedule.*p99 5\.1 ms/],
  ["No request at all", { generator: { ...GENERATOR, scheduled: 0, sent: 0, late: 0 } }, /^nothing was measured/],
  ["A request that was never sent", { generator: { ...GENERATOR, dropped: 1 } }, /1 requests were due and never sent/],
  ["A generator without CPU to spare", { generator: { ...GENERATOR, cpuShare: 0.95 } }, /saturated.*load used 95\.0 %/],
  ["A tier without CPU to spare", { tiers: { edge: { ...TIER, cpuShare: 0.91 } } }, /saturated.*edge used 91\.0 %/],
  ["A tier whose event loop lags", { lagMs: { api: 51 } }, /saturated.*api's event loop was 51\.0 ms late/],
  [
    "Timeouts where the modelled backend cannot have caused them",
    { timeoutShare: 0.02 },
    /2\.0 % of the backend calls timed out although the modelled backend never had a queue/,
  ],
  ["Requests still under way", { underWay: 17 }, /17 requests were still under way/],
  ["Client requests that the edge has not seen", { clientLost: 2 }, /load sent 2 more requests than edge has seen/],
  [
    "Calls that the tier below has not seen",
    { tiers: { edge: TIER, api: { ...TIER, lost: 4 }, backend: TIER } },
    /api sent 4 more requests than backend has seen/,
  ],
  [
    "Calls from elsewhere",
    { tiers: { edge: { ...TIER, lost: -3 }, api: TIER, backend: TIER } },
    /edge sent 3 fewer requests than api has seen. Something else calls api/,
  ],
  ["An incident", { incidents: ["api stopped answering."] }, /^api stopped answering\.$/],
];

for (const [why, change, reason] of SPOILED) {
  // Case 13 of docs/cases.md.
  test(`${why} makes a run invalid, for one reason in words`, () => {
    const reasons = invalidReasons({ ...FINE, ...change });
    assert.equal(reasons.length, 1, reasons.join("\n"));
    assert.match(reasons[0] ?? "", reason);
  });
}

test("Timeouts that a queue or a slow backend explains are what the lab is for", () => {
  assert.deepEqual(invalidReasons({ ...FINE, timeoutShare: 0.9, backendIsSlow: true }), []);
});

test("A closed loop has no schedule to be late for", () => {
  const generator = { ...GENERATOR, mode: "closed" as const, late: 900, lateP99Ms: 50 };
  assert.deepEqual(invalidReasons({ ...FINE, generator }), []);
});

test("After an incident, counts that do not add up say nothing new", () => {
  const reasons = invalidReasons({ ...FINE, incidents: ["it was interrupted."], clientLost: 5, underWay: 3 });
  assert.deepEqual(reasons, ["it was interrupted."]);
});

test("All reasons are given at once", () => {
  const reasons = invalidReasons({
    ...FINE,
    clientLost: 1,
    generator: { ...GENERATOR, late: 500, dropped: 2 },
  });
  assert.equal(reasons.length, 3);
});
