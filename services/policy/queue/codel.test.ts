import assert from "node:assert/strict";
import { test } from "node:test";
import { Codel, CODEL_INTERVAL_MS, CODEL_TARGET_MS } from "./codel.ts";

/** Departures every 10 ms that have all waited `waitedMs`; the times at which one was dropped. */
function dropsOf(codel: Codel, waitedMs: number, fromMs: number, toMs: number, others = true): number[] {
  const drops: number[] = [];
  for (let now = fromMs; now < toMs; now += 10) if (codel.drops(waitedMs, others, now)) drops.push(now);
  return drops;
}

test("a short wait is never dropped", () => {
  assert.deepEqual(dropsOf(new Codel(), CODEL_TARGET_MS - 0.1, 0, 10_000), []);
});

test("a long wait is not dropped before it has lasted a whole interval", () => {
  const [first] = dropsOf(new Codel(), 50, 0, 1000);
  assert.equal(first, CODEL_INTERVAL_MS);
});

test("the drops come closer together for as long as the queue stands", () => {
  const drops = dropsOf(new Codel(), 50, 0, 3000);
  const gaps = drops.slice(1).map((at, i) => at - (drops[i] ?? 0));
  assert.ok(drops.length > 10);
  assert.ok((gaps.at(-1) ?? 0) < (gaps[0] ?? 0) / 2, `gaps ${gaps.join(" ")}`);
});

test("one short wait ends the dropping and starts the interval anew", () => {
  const codel = new Codel();
  assert.ok(dropsOf(codel, 50, 0, 500).length > 0);
  assert.equal(codel.drops(1, true, 500), false);
  assert.deepEqual(dropsOf(codel, 50, 510, 510 + CODEL_INTERVAL_MS), []);
});

test("the last one in the queue is served, however long it has waited", () => {
  assert.deepEqual(dropsOf(new Codel(), 5000, 0, 1000, false), []);
});
