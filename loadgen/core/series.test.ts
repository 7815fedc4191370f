import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AmplificationOverTime, faultsAt, NOTHING_COUNTED, sampleOf, type Reading } from "./series.ts";

const reading = (atMs: number, count: number): Reading => ({
  atMs,
  due: count,
  tiers: {
    edge: { arrivals: count, attempts: 2 * count },
    api: { arrivals: 2 * count, attempts: 6 * count },
  },
  backend: {
    arrivals: 6 * count,
    ok: count,
    failed: 2 * count,
    shed: 3 * count,
    wasted: count,
    waiting: 7,
    tokens: 0.5,
    capacity: 90,
    errorRate: 0.4,
  },
});

test("Counters become rates per second, whatever the length of the interval", () => {
  const sample = sampleOf(reading(1000, 60), reading(3000, 180));
  assert.equal(sample.tS, 3);
  assert.equal(sample.offeredRps, 60);
  assert.deepEqual(sample.tiers, {
    edge: { arrivals: 60, attempts: 120 },
    api: { arrivals: 120, attempts: 360 },
  });
  assert.equal(sample.backend.arrivals, 360);
  assert.equal(sample.backend.shed, 180);
});

test("What is a state and not a count is taken as it stands at the interval's end", () => {
  const { waiting, tokens, capacity, errorRate } = sampleOf(reading(1000, 60), reading(2000, 120)).backend;
  assert.deepEqual({ waiting, tokens, capacity, errorRate }, { waiting: 7, tokens: 0.5, capacity: 90, errorRate: 0.4 });
});

test("The first interval begins with nothing, and a tier that was not there before counts from zero", () => {
  assert.equal(sampleOf(NOTHING_COUNTED, reading(1000, 60)).tiers["api"]?.attempts, 360);
});

test("Two readings at one moment are refused with both times named", () => {
  assert.throws(() => sampleOf(reading(1000, 1), reading(1000, 2)), /1000 ms cannot follow one at 1000 ms/);
  assert.throws(() => sampleOf(reading(1000, 1), reading(500, 2)), RangeError);
});

test("Rates times their intervals add up to the counters again", () => {
  const steps = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 5000 }), more: fc.nat(1000) }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(steps, (intervals) => {
      let before = NOTHING_COUNTED;
      let calls = 0;
      for (const { ms, more } of intervals) {
        const now = reading(before.atMs + ms, before.due + more);
        calls += (sampleOf(before, now).backend.arrivals * ms) / 1000;
        before = now;
      }
      assert.ok(Math.abs(calls - before.backend.arrivals) <= 0.0005 * intervals.length * 5);
    }),
  );
});

test("The faults in force are those of the last change that has come", () => {
  const history = [
    { atMs: 0, capacity: 90 },
    { atMs: 5000, capacity: 30 },
  ];
  assert.equal(faultsAt(history, 4999)?.capacity, 90);
  assert.equal(faultsAt(history, 5000)?.capacity, 30);
  assert.equal(faultsAt(history, -1), undefined);
});

test("A hop called as what every object knows begins from nothing, as any other", () => {
  const tiers = { constructor: { arrivals: 60, attempts: 180 } };
  const current = { ...reading(1000, 60), tiers };
  assert.deepEqual(sampleOf(NOTHING_COUNTED, current).tiers["constructor"], { arrivals: 60, attempts: 180 });
});

test("Over time, the last fraction of a second counts with the second before it", () => {
  const over = new AmplificationOverTime();
  const readings = [reading(1000, 60), reading(2000, 120)];
  [NOTHING_COUNTED, ...readings]
    .slice(0, -1)
    .forEach((before, i) => over.add(sampleOf(before, readings[i] as Reading)));
  assert.deepEqual(over.values, [6, 6]);
  const last = readings[1] as Reading;
  const tail = { ...last, atMs: 2150, due: 121, backend: { ...last.backend, arrivals: 720 } };
  over.add(sampleOf(last, tail));
  assert.equal(over.values.length, 2);
  assert.ok(Math.abs((over.values[1] ?? 0) - 360 / 61) < 0.001, String(over.values[1]));
});

test("Over time, seconds in which nothing was due have no ratio, and a tail after them adds to none", () => {
  const over = new AmplificationOverTime();
  const last = reading(1000, 60);
  over.add(sampleOf(NOTHING_COUNTED, last));
  const after = { ...last, atMs: 2000, backend: { ...last.backend, arrivals: 500 } };
  over.add(sampleOf(last, after));
  over.add(sampleOf(after, { ...after, atMs: 2200, backend: { ...last.backend, arrivals: 520 } }));
  assert.deepEqual(over.values, [6]);
});
