import assert from "node:assert/strict";
import { test } from "node:test";
import { HERD, herdResults, mostWithin, runHerd, shapeOf } from "./experiment.ts";
import { herdText } from "./text.ts";

const CLIENTS = 200;
const shapes = Object.fromEntries(herdResults([1, 2, 3], CLIENTS).map(({ backoff, ...shape }) => [backoff, shape]));
const shape = (kind: string) => {
  const found = shapes[kind];
  assert.ok(found, kind);
  return found;
};

test("Without jitter all clients come back within one 100 ms: a wall, in the outage and at the return", () => {
  for (const kind of ["fixed", "exponential"]) {
    assert.equal(shape(kind).peak!.min, CLIENTS, kind);
    assert.equal(shape(kind).peakAfter!.min, CLIENTS, kind);
  }
});

test("Every jitter turns the wall into a ramp: less than half of them in any 100 ms, and far less at the return", () => {
  for (const kind of ["full", "equal", "decorrelated"]) {
    assert.ok(shape(kind).peak!.max < CLIENTS * 0.5, `${kind}: ${shape(kind).peak!.max}`);
    assert.ok(shape(kind).peakAfter!.max < CLIENTS * 0.25, `${kind}: ${shape(kind).peakAfter!.max}`);
    assert.ok(shape(kind).peakOverMean!.max < shape("fixed").peakOverMean!.min, kind);
  }
});

test("Growth alone makes the wall steeper over its mean, since the same crowd comes more rarely", () => {
  assert.ok(shape("exponential").peakOverMean!.median > shape("fixed").peakOverMean!.median);
});

test("The outage is total and brief: nobody is served in it, and everybody after it", () => {
  const { arrivalsMs, lastServedMs } = runHerd("full", 1, CLIENTS);
  assert.ok(lastServedMs >= HERD.outageMs);
  assert.ok(arrivalsMs.length >= CLIENTS);
  assert.deepEqual(
    arrivalsMs,
    arrivalsMs.toSorted((a, b) => a - b),
  );
  assert.equal(shapeOf({ arrivalsMs: [], lastServedMs: 0 }).peakOverMean, 0);
});

test("The most within a window leaves out what comes exactly one window later", () => {
  assert.equal(mostWithin([0, 50, 100, 149], 100), 3);
  assert.equal(mostWithin([0, 100, 200], 100), 1);
  assert.equal(mostWithin([], 100), 0);
});

test("The table has a line for each backoff, with the scenario above and the finding below", () => {
  const text = herdText(herdResults([1], 20), 20);
  for (const kind of ["fixed", "exponential", "full", "equal", "decorrelated"]) assert.match(text, new RegExp(kind));
  assert.match(text, /^20 clients are cut off .* down for 2000 ms/);
  assert.match(text, /meets 20 of 20 clients without jitter, and at most \d+ with it/);
});
