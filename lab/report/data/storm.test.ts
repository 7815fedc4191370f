import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sample } from "../../../loadgen/core/series.ts";
import { plannedMarks, seenMarks, stormOf, withPlannedCapacity } from "./storm.ts";
import type { Digest } from "./digest.ts";

const sample = (tS: number, arrivals: number, capacity = 90, errorRate = 0): Sample => ({
  tS,
  offeredRps: 60,
  tiers: {},
  backend: { arrivals, ok: 0, failed: 0, shed: 0, wasted: 0, waiting: 5, tokens: 0, capacity, errorRate },
});
const digest = (offered: number[], good: number[], widthS = 1): Digest => ({
  widthS,
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
    offered: 60,
    good: 58,
    calls: null,
    capacity: null,
    perRequest: null,
    waiting: null,
  });
});

test("Wide intervals take the mean of their samples", () => {
  const [point] = stormOf([sample(1, 60), sample(2, 120)], digest([60], [60], 2));
  assert.equal(point?.calls, 90);
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

test("A planned change of capacity stands where it was planned, whatever a sample saw at that moment", () => {
  const storm = stormOf([sample(1, 60, 90), sample(2, 60, 30), sample(3, 60, 30)], digest([60, 60, 60], [0]));
  const steps = [
    { atMs: 1500, change: { errorRate: 0.4 } },
    { atMs: 2000, change: { capacity: 30 } },
  ];
  assert.deepEqual(
    withPlannedCapacity(storm, 90, steps).map(({ capacity }) => capacity),
    [90, 90, 30],
  );
  const [unsampled] = withPlannedCapacity(stormOf([], digest([60], [60])), 90, steps);
  assert.equal(unsampled?.capacity, null);
});
