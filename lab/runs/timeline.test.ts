import assert from "node:assert/strict";
import { test } from "node:test";
import { timelineOf, phase, successOf } from "./timeline.ts";

const RECORDS = [
  { intendedMs: 0, outcome: "ok" },
  { intendedMs: 999.9, outcome: "failed" },
  { intendedMs: 1000, outcome: "ok" },
  { intendedMs: 2400, outcome: "ok" },
] as const;

test("A request belongs to the second in which it was due, and so does what became of it", () => {
  const timeline = timelineOf(2.5, RECORDS, []);
  assert.deepEqual(
    timeline.map(({ due, ok }) => [due, ok]),
    [
      [2, 1],
      [1, 1],
      [1, 1],
    ],
  );
});

test("Calls between two readings are spread in a straight line", () => {
  const readings = [
    { tS: 2, calls: 20 },
    { tS: 3, calls: 80 },
  ];
  assert.deepEqual(
    timelineOf(3, RECORDS, readings).map(({ calls }) => calls),
    [10, 10, 60],
  );
});

test("A phase has its first second and not the one it ends at", () => {
  assert.deepEqual(phase(timelineOf(3, RECORDS, []), 1, 2), { due: 1, ok: 1, calls: 0 });
  assert.equal(successOf(phase(timelineOf(3, RECORDS, []), 0, 2)), 2 / 3);
});

test("Where nothing was due, nothing succeeded and nothing went wrong", () => {
  assert.equal(successOf({ due: 0, ok: 0, calls: 0 }), null);
});
