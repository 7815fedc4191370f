import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reading } from "../../loadgen/core/series.ts";
import { KEPT_S, LiveWindow } from "./window.ts";

const reading = (second: number, due: number, arrivals: number, waiting = 0): Reading => ({
  atMs: second * 1000,
  due,
  tiers: {},
  backend: {
    arrivals,
    ok: 0,
    failed: 0,
    shed: 0,
    wasted: 0,
    waiting,
    tokens: 0,
    capacity: 200,
    errorRate: 0,
  },
});

test("A second shows its calls, its good answers and its ratio", () => {
  const window = new LiveWindow();
  for (let i = 0; i < 60; i += 1) window.answered(i < 45, 10);
  window.tick(reading(1, 60, 180, 7));
  const [point] = window.view().storm;
  assert.deepEqual(point, {
    tS: 0.5,
    lengthS: 1,
    offered: 60,
    calls: 180,
    good: 45,
    capacity: 200,
    perRequest: 3,
    needed: 1,
    waiting: 7,
  });
});

test("The big numbers are those of the last five seconds", () => {
  const window = new LiveWindow();
  for (let second = 1; second <= 8; second += 1) {
    window.answered(second > 3, second > 3 ? 10 : 1000);
    window.tick(reading(second, second * 60, second <= 3 ? second * 540 : 3 * 540 + (second - 3) * 60));
  }
  const { amplification, successRate, p99 } = window.view().recent;
  assert.equal(amplification, 1);
  assert.equal(successRate, 1);
  assert.ok(p99 !== null && Math.abs(p99 - 10) < 0.2, `${p99}`);
});

test("Before the first second nothing is said", () => {
  assert.deepEqual(new LiveWindow().view(), {
    storm: [],
    bands: [],
    marks: [],
    recent: { amplification: null, successRate: null, p50: null, p99: null },
  });
});

test("After ten hours it holds one minute and as many marks as can be read", () => {
  const window = new LiveWindow();
  for (let second = 1; second <= 36_000; second += 1) {
    if (second % 2 === 0) window.note(second, "change");
    window.answered(true, 5);
    window.tick(reading(second, second * 60, second * 60));
  }
  const { storm, bands, marks } = window.view();
  assert.equal(storm.length, KEPT_S);
  assert.equal(bands.length, KEPT_S);
  assert.equal(marks.length, 12);
  assert.equal(marks.at(-1)?.tS, 36_000);
});

test("Marks are lettered in the order of their coming, and go when their minute is over", () => {
  const window = new LiveWindow();
  window.note(0.5, "first");
  window.note(0.7, "second");
  window.tick(reading(1, 60, 60));
  assert.deepEqual(
    window.view().marks.map(({ key }) => key),
    ["A", "B"],
  );
  window.tick(reading(62, 120, 120));
  assert.deepEqual(window.view().marks, []);
});

test("A change is marked where the second begins in which its effect is seen, and stays there", () => {
  const window = new LiveWindow();
  window.tick(reading(1, 60, 60));
  window.note(1.9, "trigger");
  assert.equal(window.view().marks[0]?.tS, 1.9);
  window.tick(reading(2, 120, 400));
  window.tick(reading(3, 180, 900));
  const { storm, marks } = window.view();
  const begins = storm.map(({ tS, lengthS }) => tS - lengthS / 2);
  assert.deepEqual([marks[0]?.tS, begins[1]], [1, 1]);
});

test("A change that was sent in the second before, and answered in this one, is marked where it was sent", () => {
  const window = new LiveWindow();
  window.tick(reading(1, 60, 60));
  window.note(0.99, "policy budgeted");
  window.tick(reading(2, 120, 120));
  assert.equal(window.view().marks[0]?.tS, 0.99);
});

test("What the best policy would have needed stays as it was in each past second", () => {
  const window = new LiveWindow();
  const failing = (at: Reading, errorRate: number): Reading => ({ ...at, backend: { ...at.backend, errorRate } });
  window.tick(reading(1, 60, 60));
  window.tick(failing(reading(2, 120, 120), 0.5));
  window.tick(failing(reading(3, 180, 180), 1));
  window.tick(reading(4, 240, 240));
  assert.deepEqual(
    window.view().storm.map(({ needed }) => needed),
    [1, 2, null, 1],
  );
});
