import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Second } from "./timeline.ts";
import { healthyAfter, verdictOn, type Recovery } from "./recovery.ts";

/** A timeline whose seconds succeed as `share` says, 100 requests each. */
function timelineWith(seconds: number, share: (atS: number) => number): Second[] {
  return Array.from({ length: seconds }, (_, atS) => ({
    atS,
    due: 100,
    ok: Math.round(100 * share(atS)),
    calls: 300,
  }));
}

const WINDOW = { triggeredS: 10, removedS: 15, patienceS: 30, endS: 60 };

const TABLE: readonly (readonly [why: string, share: (atS: number) => number, recovery: Recovery])[] = [
  [
    "A chain that is well again at once recovers after 0 s",
    (s) => (s >= 10 && s < 15 ? 0.1 : 1),
    { kind: "recovers", afterS: 0 },
  ],
  [
    "A chain that needs a while recovers after as long",
    (s) => (s >= 10 && s < 23 ? 0 : 1),
    { kind: "recovers", afterS: 8 },
  ],
  ["A chain that stays down is metastable", (s) => (s >= 10 ? 0.02 : 1), { kind: "metastable" }],
  ["A recovery after the patience comes too late", (s) => (s >= 10 && s < 50 ? 0 : 1), { kind: "metastable" }],
  [
    "A relapse counts: what matters is the last bad phase",
    (s) => ((s >= 10 && s < 15) || s === 58 ? 0 : 1),
    { kind: "metastable" },
  ],
  ["A chain that was bad before the trigger gets no verdict", (s) => (s < 10 ? 0.8 : 0), { kind: "never-healthy" }],
  ["A trigger that harms nobody shows nothing about recovery", () => 0.99, { kind: "unharmed" }],
  ["Harm that begins with the removal is harm", (s) => (s === 15 || s === 16 ? 0 : 1), { kind: "recovers", afterS: 2 }],
];

for (const [why, share, recovery] of TABLE) {
  test(why, () => assert.deepEqual(verdictOn(timelineWith(60, share), WINDOW).recovery, recovery));
}

test("What was due in the last two seconds before the trigger belongs to it, not to the baseline", () => {
  const timeline = timelineWith(60, (s) => (s >= 8 && s < 15 ? 0 : 1));
  const { recovery, success } = verdictOn(timeline, WINDOW);
  assert.deepEqual(recovery, { kind: "recovers", afterS: 0 });
  assert.equal(success.before, 1);
});

test("Late means after the patience, for success and for calls", () => {
  const { success, lateAmplification } = verdictOn(
    timelineWith(60, (s) => (s < 10 ? 1 : s < 15 ? 0.5 : s < 45 ? 0 : 0.25)),
    WINDOW,
  );
  assert.deepEqual(success, { before: 1, during: 0.5, late: 0.25 });
  assert.equal(lateAmplification, 3);
});

test("After the time that healthyAfter gives, no phase is bad; before it, one is", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0.9, 1), { minLength: 4, maxLength: 40 }), (shares) => {
      const timeline = timelineWith(shares.length, (s) => shares[s] ?? 1);
      const after = healthyAfter(timeline, 0, shares.length);
      const bad = (s: number): boolean => (shares[s] ?? 1) + (shares[s + 1] ?? 1) < 1.9;
      const badOnes = shares.slice(0, -1).flatMap((_, s) => (bad(s) ? [s] : []));
      const last = badOnes.at(-1);
      if (last === undefined) assert.equal(after, 0);
      else assert.equal(after, last === shares.length - 2 ? Infinity : last + 1);
    }),
  );
});

test("Where no request was due before the trigger, or none after the patience, there is no verdict and no share", () => {
  const silent = (fromS: number, toS: number): Second[] =>
    timelineWith(60, () => 1).map((second) =>
      second.atS >= fromS && second.atS < toS ? { ...second, due: 0, ok: 0, calls: 0 } : second,
    );
  for (const [fromS, toS] of [
    [0, 60],
    [0, 8],
    [45, 60],
  ] as const) {
    assert.deepEqual(verdictOn(silent(fromS, toS), WINDOW).recovery, { kind: "unmeasured" }, `${fromS} to ${toS}`);
  }
  const { success, lateAmplification } = verdictOn(silent(0, 60), WINDOW);
  assert.deepEqual([success, lateAmplification], [{ before: null, during: null, late: null }, null]);
  assert.equal(healthyAfter(silent(0, 60), 0, 60), Infinity);
  // A pause of the load within it is no trouble.
  assert.equal(healthyAfter(silent(20, 30), 0, 60), 0);
});
