import assert from "node:assert/strict";
import { test } from "node:test";
import { contextWith } from "../../runs/testdata/context.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import { herdResults, mostWithin, runHerd, shapeOf, type Herd } from "./experiment.ts";
import { herdsOf } from "./scene.ts";
import { herdText } from "./text.ts";

const CLIENTS = 200;
const herdsWith = (typed: Readonly<Record<string, string>>, ...seeds: number[]): Herd[] =>
  herdsOf(contextWith({ RATE: String(CLIENTS), ...typed }), seeds);
const shapes = Object.fromEntries(herdResults(herdsWith({}, 1, 2, 3)).map(({ backoff, ...shape }) => [backoff, shape]));
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
  const [herd] = herdsWith({}, 1).filter(({ name }) => name === "full");
  assert.ok(herd);
  const { arrivalsMs, lastServedMs } = runHerd(herd);
  assert.ok(lastServedMs >= herd.outageMs);
  assert.ok(arrivalsMs.length >= CLIENTS);
  assert.deepEqual(
    arrivalsMs,
    arrivalsMs.toSorted((a, b) => a - b),
  );
  assert.equal(shapeOf({ arrivalsMs: [], lastServedMs: 0 }, 2000).peakOverMean, null);
});

test("The most within a window leaves out what comes exactly one window later", () => {
  assert.equal(mostWithin([0, 50, 100, 149], 100), 3);
  assert.equal(mostWithin([0, 100, 200], 100), 1);
  assert.equal(mostWithin([], 100), 0);
});

test("The table has a line for each backoff, with the scenario above and the finding below", () => {
  const text = herdText(herdResults(herdsWith({ RATE: "20" }, 1)), { clients: 20, outageMs: 2000 });
  for (const kind of ["fixed", "exponential", "full", "equal", "decorrelated"]) assert.match(text, new RegExp(kind));
  assert.match(text, /^20 clients are cut off .* down for 2\.00 s/);
  assert.match(text, /meets 20 of 20 clients without jitter, and at most \d+ with it/);
});

test("A policy of one's own comes first and as it stands, in a herd of one's own size and outage", () => {
  const herds = herdsWith({ POLICY: "budgeted", BUDGET: "none", RATE: "30", FAULT_TIMELINE: "at 1s error 0" }, 1);
  assert.equal(herds[0]?.name, "budgeted");
  const { kind, baseMs } = herds[0]?.policy.backoff ?? {};
  assert.deepEqual([kind, baseMs], ["full", 50]);
  for (const { clients, outageMs } of herds) assert.deepEqual([clients, outageMs], [30, 1000]);
  const [own] = herdResults(herds);
  assert.ok((own?.retries?.median ?? 0) >= 30);
});

test("An outage without an end is refused", () => {
  assert.throws(() => herdsWith({ FAULT_TIMELINE: "at 1s error 1" }, 1), ConfigError);
});
