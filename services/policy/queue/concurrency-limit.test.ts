import assert from "node:assert/strict";
import { test } from "node:test";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

function after(kind: "aimd" | "gradient", latencies: readonly number[], inFlight = 1000): number {
  const limit = createConcurrencyLimit(kind);
  for (const latencyMs of latencies) limit.ended(latencyMs, inFlight);
  return limit.limit();
}

const steady = (latencyMs: number, n: number): number[] => Array.from({ length: n }, () => latencyMs);

test("no limit never limits", () => {
  const limit = createConcurrencyLimit("none");
  limit.ended(1e6, 1e6);
  assert.equal(limit.limit(), Infinity);
});

for (const kind of ["aimd", "gradient"] as const) {
  test(`${kind} grows while calls are fast and the limit is in use`, () => {
    assert.ok(after(kind, steady(8, 50)) > 30);
  });

  test(`${kind} stays where it is while nobody needs it`, () => {
    assert.equal(after(kind, steady(8, 50), 1), 20);
  });

  test(`${kind} shrinks when calls get slow, and never below one`, () => {
    const limit = after(kind, [...steady(8, 50), ...steady(2000, 60)]);
    assert.ok(limit < after(kind, steady(8, 50)) && limit >= 1, String(limit));
  });
}

test("aimd comes down to one when everything is slow", () => {
  assert.equal(after("aimd", steady(2000, 200)), 1);
});

test("neither grows without end", () => {
  assert.equal(after("aimd", steady(8, 10_000), 1e6), 200);
  assert.equal(after("gradient", steady(8, 10_000), 1e6), 200);
});
