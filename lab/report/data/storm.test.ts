import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Sample } from "../../../loadgen/core/series.ts";
import { asPlanned, atOneLimit, plannedMarks, seenMarks, stormOf } from "./storm.ts";
import type { Digest } from "./digest.ts";
import { rounded } from "../../../loadgen/core/format.ts";
import { timeGrid } from "./time-grid.ts";

const sample = (tS: number, arrivals: number, capacity = 90, errorRate = 0): Sample => ({
  tS,
  offeredRps: 60,
  tiers: {},
  backend: { arrivals, ok: 0, failed: 0, shed: 0, wasted: 0, waiting: 5, tokens: 0, capacity, errorRate },
});
const digest = (offered: number[], good: number[], loadEndsS = offered.length): Digest => ({
  grid: timeGrid(loadEndsS),
  offered,
  good,
  bands: [],
  dots: [],
  bins: [],
  attempts: [],
});

test("Each sample lies in the second that it measured, even when it was taken a little late", () => {
  const storm = stormOf([sample(1, 60), sample(2.01, 120), sample(3, 0)], digest([60, 60], [60, 30]));
  assert.deepEqual(
    storm.map(({ tS, calls, perRequest, good }) => [tS, calls, perRequest, good]),
    [
      [0.5, 60, 1, 60],
      [1.5, 120, 2, 30],
    ],
  );
});

test("The storm lasts as long as calls reach the backend, and then there is no ratio", () => {
  const storm = stormOf([sample(1, 60), sample(2, 40), sample(3, 0), sample(4, 0)], digest([60], [1]));
  assert.equal(storm.length, 2);
  assert.equal(storm[1]?.offered, 0);
  assert.equal(storm[1]?.perRequest, null);
});

test("Without samples the clients' side is still told, and nothing is made up for the backend", () => {
  const [point] = stormOf([], digest([60], [58]));
  assert.deepEqual(point, {
    tS: 0.5,
    lengthS: 1,
    offered: 60,
    good: 58,
    calls: null,
    capacity: null,
    perRequest: null,
    needed: null,
    waiting: null,
  });
});

test("Wide intervals take the mean of their samples", () => {
  const samples = Array.from({ length: 240 }, (_, i) => sample(i + 1, i % 2 === 0 ? 60 : 120));
  const [point] = stormOf(samples, digest([60], [60], 240));
  assert.deepEqual([point?.lengthS, point?.calls], [2, 90]);
});

test("Planned changes are marked to the millisecond and say what changed", () => {
  const marks = plannedMarks([
    { atMs: 2500, change: { capacity: 36, errorRate: 0.5 } },
    { atMs: 7000, change: { latencyMs: 8 } },
  ]);
  assert.deepEqual(marks, [
    { tS: 2.5, key: "A", text: "capacity 36/s and errors 50 %" },
    { tS: 7, key: "B", text: "latency 8 ms" },
  ]);
});

test("Changes by hand are found between two samples, and no more are marked than there are letters", () => {
  const marks = seenMarks([sample(1, 0, 90), sample(2, 0, 90), sample(3, 0, 30, 0.4)]);
  assert.deepEqual(marks, [{ tS: 2, key: "A", text: "capacity 30/s and errors 40 %" }]);
  const restless = Array.from({ length: 100 }, (_, i) => sample(i + 1, 0, i + 1));
  assert.equal(seenMarks(restless).length, 26);
});

test("A planned change stands where it was planned, whatever a sample saw at that moment", () => {
  const storm = stormOf([sample(1, 60, 90), sample(2, 60, 30), sample(3, 60, 30)], digest([60, 60, 60], [0]));
  const steps = [
    { atMs: 1500, change: { errorRate: 0.5 } },
    { atMs: 2000, change: { capacity: 30 } },
  ];
  assert.deepEqual(
    asPlanned(storm, { capacity: 90, errorRate: 0 }, steps).map(({ capacity, needed }) => [capacity, needed]),
    [
      [90, 1],
      [90, 1.5],
      [30, 0.5],
    ],
  );
  const [unsampled] = asPlanned(stormOf([], digest([60], [60])), { capacity: 90, errorRate: 0 }, steps);
  assert.equal(unsampled?.capacity, null);
});

test("The last answers after the load, however few, do not lower its last second", () => {
  const storm = stormOf([sample(1, 87), sample(2, 87), sample(2.15, 20)], digest([60, 60], [50, 50]));
  assert.deepEqual(
    storm.map(({ tS, calls, perRequest }) => [tS, rounded(calls ?? 0), perRequest]),
    [
      [0.5, 87, 87 / 60],
      [1.5, 87, 87 / 60],
      [2.5, 3, null],
    ],
  );
});

test("A load that ends within a second has a last interval of its own length, never a short one", () => {
  const ends = (loadEndsS: number) =>
    stormOf([sample(1, 90), sample(loadEndsS, 90)], digest([60, 60], [], loadEndsS)).map(({ tS, lengthS, calls }) => [
      tS,
      lengthS,
      calls,
    ]);
  assert.deepEqual(ends(1.5), [
    [0.5, 1, 90],
    [1.25, 0.5, 90],
  ]);
  const [only] = stormOf([sample(1, 90), sample(1.4, 90)], digest([60], [], 1.4));
  assert.deepEqual([only?.lengthS, only?.calls, only?.perRequest], [1.4, 90, 1.5]);
});

test("A sample that lasted several seconds, as after a pause, tells of each of them", () => {
  const storm = stormOf([sample(1, 60), sample(4, 90)], digest([60, 60, 60, 60], []));
  assert.deepEqual(
    storm.map(({ calls }) => calls),
    [60, 90, 90, 90],
  );
});

test("Whenever the samples were taken, no second has more calls than the busiest of them, and none is a short one", () => {
  const steps = fc.array(fc.record({ s: fc.double({ min: 0.01, max: 4, noNaN: true }), calls: fc.nat(500) }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 60 }), (looks, loadEndsS) => {
      let tS = 0;
      const samples = looks.map(({ s, calls }) => sample((tS += s), calls));
      const storm = stormOf(samples, digest([60], [], loadEndsS));
      const most = Math.max(...looks.map(({ calls }) => calls));
      for (const { calls, lengthS, perRequest, offered } of storm) {
        assert.ok(calls === null || calls >= 0);
        assert.ok(lengthS >= 0.5);
        assert.ok(perRequest === null || (offered ?? 0) > 0);
      }
      // Only what was too short to be a sample of its own comes on top of an interval's own.
      const whole = looks.every(({ s }) => s >= 0.5);
      if (whole) assert.ok(storm.every(({ calls }) => (calls ?? 0) <= most + 1e-6));
    }),
  );
});

test("A sample from a broken file that claims to have lasted for ever is told in no more intervals than can be seen", () => {
  assert.ok(stormOf([sample(1, 60), sample(1e15, 1)], digest([60], [])).length <= 700);
});

test("The limit of each second is that of what was wrong and offered then", () => {
  const storm = stormOf(
    [sample(1, 60, 300, 0), sample(2, 60, 300, 0.5), sample(3, 60, 60, 0.5)],
    digest([60, 60, 60], []),
  );
  assert.deepEqual(
    storm.map(({ needed }) => needed),
    [1, 2, 1],
  );
  assert.deepEqual(
    atOneLimit(storm, 1.5).map(({ needed }) => needed),
    [1.5, 1.5, 1.5],
  );
});
