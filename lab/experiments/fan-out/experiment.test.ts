import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { HedgePolicy } from "../../../services/policy/hedge/hedge.ts";
import { fanOut, TAIL_AT_SCALE, type FanOut } from "./experiment.ts";
import { FAN_OUT_SCENES, fanOutResults } from "./scenes.ts";
import { fanOutText } from "./text.ts";
import { quantileOf } from "../../worlds/virtual/testdata/reference.ts";

const after = (delayMs: number, ratio: number): HedgePolicy => ({
  trigger: { kind: "delay", delayMs },
  ratio,
  // All leaves of a request are sent, and their copies due, in one moment.
  burst: 1000,
});

const shareAbove = (latencies: readonly number[], ms: number): number =>
  latencies.filter((latency) => latency > ms).length / latencies.length;

test("with 1 % slow leaves and a fan-out of 100, 63 % of the requests are slow; with one leaf, 1 %", () => {
  const times = { fastMs: 10, slowShare: 0.01, slowFromMs: 1000, alpha: Infinity };
  const wide = fanOut({ requests: 2000, leaves: 100, times, seed: 1 });
  const share = shareAbove(wide.latencies, 500);
  assert.ok(Math.abs(share - (1 - 0.99 ** 100)) < 0.03, `${share}`);
  const narrow = shareAbove(fanOut({ requests: 5000, leaves: 1, times, seed: 1 }).latencies, 500);
  assert.ok(Math.abs(narrow - 0.01) < 0.005, `${narrow}`);
});

test("second copies make those requests fast again, at the price of the slow leaves alone", () => {
  const times = { fastMs: 10, slowShare: 0.01, slowFromMs: 1000, alpha: Infinity };
  const { latencies, cost } = fanOut({ requests: 2000, leaves: 100, times, hedge: after(10, 0.05), seed: 1 });
  assert.ok(shareAbove(latencies, 500) < 0.05, `${shareAbove(latencies, 500)}`);
  assert.ok(cost > 1.008 && cost < 1.012, `${cost}`);
});

test("1,000 keys: a copy after 10 ms cuts p99.9 from about 1,800 ms to some tens, for about 2 % more requests", () => {
  const read: FanOut = { requests: 1000, leaves: 1000, times: TAIL_AT_SCALE, seed: 1 };
  const [without, hedged] = [fanOut(read), fanOut({ ...read, hedge: after(10, 0.05) })];
  const [before, then] = [quantileOf(without.latencies, 0.999), quantileOf(hedged.latencies, 0.999)];
  assert.ok(before > 900 && before < 3600, `${before}`);
  assert.ok(then > 35 && then < 110, `${then}`);
  assert.ok(before >= 15 * then, `${before} to ${then}`);
  assert.ok(Math.abs(hedged.cost - 1.02) < 0.002, `${hedged.cost}`);
});

test("a leaf that every request needs, and that is slow wherever it is asked, is as slow with second copies", () => {
  const [, scene] = FAN_OUT_SCENES;
  assert.ok(scene !== undefined);
  const arms = fanOutResults([1], [{ ...scene, read: { ...scene.read, requests: 100 } }]);
  const [without, hedged] = arms.map(({ measured }) => measured);
  assert.deepEqual([without?.p50?.median, hedged?.p50?.median, hedged?.p999?.median], [1000, 1000, 1000]);
  assert.equal(without?.cost?.median, 1);
  assert.ok(Math.abs((hedged?.cost?.median ?? 0) - 1.01) < 0.001, "one copy more for each request, for nothing");
  const text = stripVTControlCharacters(fanOutText([1], arms)).replaceAll(/[\s│]+/gu, " ");
  for (const { scene: name } of arms) assert.ok(text.includes(name));
});
