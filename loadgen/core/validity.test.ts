import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { TierSummary } from "./run-summary.ts";
import { gradeOf, type Evidence } from "./validity.ts";

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
  shortestTimeoutMs: 200,
  p50Ms: 8,
  loadedS: 10,
  incidents: [],
};

const invalidReasons = (evidence: Evidence): readonly string[] => gradeOf(evidence).invalidReasons;

test("A run with nothing against it is valid", () =>
  assert.deepEqual(gradeOf(FINE), { valid: true, validity: "valid", invalidReasons: [], noisyReasons: [] }));

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

test("Six of 480 requests up to 17 ms late change nothing in a storm whose median is 1.9 s: VALID, NOISY", () => {
  const generator = { ...GENERATOR, scheduled: 480, sent: 480, late: 6, lateP99Ms: 9, lateMaxMs: 17 };
  const storm = { ...FINE, generator, p50Ms: 1900, loadedS: 8 };
  const { valid, validity, invalidReasons: none, noisyReasons } = gradeOf(storm);
  assert.deepEqual([valid, validity, none, noisyReasons.length], [true, "noisy", [], 1]);
  assert.match(
    noisyReasons[0] ?? "",
    /^6 of 480 requests .* at most 17\.0 ms\); up to 20\.0 ms cannot have changed what came of this run$/,
  );
  // Each yardstick by itself: a timeout, a median or a run that 17 ms are much of.
  for (const change of [{ shortestTimeoutMs: 160 }, { p50Ms: 160 }, { p50Ms: null }, { loadedS: 1.6 }]) {
    assert.equal(gradeOf({ ...storm, ...change }).validity, "invalid", JSON.stringify(change));
  }
});

test("An event loop's lag that is small against what was measured is noise, and its process is named", () => {
  const slow = { ...FINE, lagMs: { load: 2, edge: 60, api: 2 }, shortestTimeoutMs: Infinity, p50Ms: 900 };
  const { validity, noisyReasons } = gradeOf(slow);
  assert.equal(validity, "noisy");
  assert.match(noisyReasons.join("\n"), /^edge's event loop was 60\.0 ms late at p99; up to 90\.0 ms/);
  assert.equal(gradeOf({ ...slow, p50Ms: 500 }).validity, "invalid");
});

test("INVALID for a machine that was late names the process and the ways out", () => {
  const late = invalidReasons({ ...FINE, generator: { ...GENERATOR, late: 500, lateMaxMs: 80 } });
  assert.match(late[0] ?? "", /was late is load\. Use WORLD=virtual.*lower RATE and CAPACITY in proportion/);
  const lagging = invalidReasons({ ...FINE, lagMs: { load: 70, api: 51, backend: 50 } });
  assert.match(lagging[0] ?? "", /load's event loop.*api's event loop.*Use WORLD=virtual/);
  assert.doesNotMatch(lagging[0] ?? "", /backend/);
});

const GRADE = { valid: 0, noisy: 1, invalid: 2 } as const;
const upTo = (max: number) => fc.double({ min: 0, max, noNaN: true });
const EVIDENCE = fc
  .record({
    late: fc.nat(1000),
    lateP99Ms: upTo(100),
    lateMaxMs: upTo(300),
    lag: upTo(300),
    cpuShare: upTo(1),
    shortestTimeoutMs: fc.oneof(upTo(5000), fc.constant(Infinity)),
    p50Ms: upTo(5000),
    loadedS: upTo(100),
  })
  .map(({ late, lateP99Ms, lateMaxMs, lag, cpuShare, ...yardsticks }): Evidence => ({
    ...FINE,
    ...yardsticks,
    generator: { ...GENERATOR, late, lateP99Ms, lateMaxMs, cpuShare },
    lagMs: { load: lag / 2, api: lag },
  }));

test("Nothing that gets later, busier or shorter makes a run's grade better", () => {
  const worse: readonly ((of: Evidence, by: number) => Partial<Evidence>)[] = [
    ({ generator }, by) => ({ generator: { ...generator, late: generator.late + Math.ceil(by) } }),
    ({ generator }, by) => ({ generator: { ...generator, lateP99Ms: (generator.lateP99Ms ?? 0) + by } }),
    ({ generator }, by) => ({ generator: { ...generator, lateMaxMs: (generator.lateMaxMs ?? 0) + by } }),
    ({ generator }, by) => ({ generator: { ...generator, cpuShare: (generator.cpuShare ?? 0) + by } }),
    ({ lagMs }, by) => ({ lagMs: { ...lagMs, api: (lagMs["api"] ?? 0) + by } }),
    ({ shortestTimeoutMs }, by) => ({ shortestTimeoutMs: Math.max(0, shortestTimeoutMs - by) }),
    ({ p50Ms }, by) => ({ p50Ms: Math.max(0, (p50Ms ?? 0) - by) }),
    ({ loadedS }, by) => ({ loadedS: Math.max(0, loadedS - by) }),
  ];
  fc.assert(
    fc.property(EVIDENCE, fc.constantFrom(...worse), upTo(500), (evidence, change, by) => {
      const [before, after] = [gradeOf(evidence), gradeOf({ ...evidence, ...change(evidence, by) })];
      assert.ok(GRADE[after.validity] >= GRADE[before.validity], `${before.validity} became ${after.validity}`);
    }),
    { numRuns: 2000 },
  );
});

test("A grade and its reasons agree, and no run is quoted whose delay is more than a tenth of a timeout or of its median", () => {
  fc.assert(
    fc.property(EVIDENCE, (evidence) => {
      const { valid, validity, invalidReasons: bad, noisyReasons } = gradeOf(evidence);
      assert.equal(valid, bad.length === 0);
      assert.equal(validity, valid ? (noisyReasons.length > 0 ? "noisy" : "valid") : "invalid");
      if (validity !== "noisy") return;
      const { shortestTimeoutMs, p50Ms, loadedS, generator, lagMs } = evidence;
      const isLate = generator.late > 10 || (generator.lateP99Ms ?? 0) > 5;
      const delays = [isLate ? (generator.lateMaxMs ?? 0) : 0, ...Object.values(lagMs).filter((ms) => ms > 50)];
      const most = Math.max(...delays);
      assert.ok(most <= shortestTimeoutMs / 10 && most <= (p50Ms ?? 0) / 10 && most <= loadedS * 10 + 1e-9);
    }),
    { numRuns: 2000 },
  );
});
