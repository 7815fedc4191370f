import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fixed } from "../loadgen/core/format.ts";
import { simulateRetries, type RetryDefence } from "./sim-retries.ts";

const PAGE = readFileSync(new URL("../docs/simulators.md", import.meta.url), "utf8");

const NO_BUDGET = { kind: "none", ratio: 0, burst: 0, start: 0, minPerSecond: 0 } as const;

const DEFENCES: Readonly<Record<string, RetryDefence>> = {
  "three retries": { maxAttempts: 4, budget: NO_BUDGET },
  "a bucket of 10 %": {
    maxAttempts: Infinity,
    budget: { kind: "token-bucket", ratio: 0.1, burst: 5, start: 5, minPerSecond: 0 },
  },
  "a breaker at 10 %": {
    maxAttempts: 4,
    budget: NO_BUDGET,
    rule: { kind: "rate", share: 0.1, minCalls: 1, windowMs: Infinity },
  },
};

/** What simulator_example printed for 100 clients. */
const PUBLISHED: readonly (readonly [name: string, failureRate: number, load: number, success: number])[] = [
  ["three retries", 0.1, 1.111, 0.9999],
  ["three retries", 0.2, 1.248, 0.9984],
  ["three retries", 0.5, 1.876, 0.9372],
  ["three retries", 0.75, 2.737, 0.6855],
  ["a bucket of 10 %", 0.1, 1.093, 0.9851],
  ["a bucket of 10 %", 0.2, 1.103, 0.882],
  ["a bucket of 10 %", 0.5, 1.104, 0.5564],
  ["a bucket of 10 %", 0.75, 1.104, 0.2757],
  ["a breaker at 10 %", 0.1, 1.036, 0.9329],
  ["a breaker at 10 %", 0.2, 1, 0.8028],
  ["a breaker at 10 %", 0.5, 1, 0.4968],
  ["a breaker at 10 %", 0.75, 1, 0.2501],
];

const within = (value: number, published: number): boolean => Math.abs(value / published - 1) <= 0.02;

for (const [name, failureRate, load, success] of PUBLISHED) {
  test(`with ${name}, at ${failureRate * 100} % failures, load and success are as published, within 2 %, and as the page says`, () => {
    const defence = DEFENCES[name];
    assert.ok(defence !== undefined);
    const run = simulateRetries({ defence, failureRate, seed: 1 });
    assert.ok(within(run.load, load), `load ${run.load}, published ${load}`);
    assert.ok(within(run.success, success), `success ${run.success}, published ${success}`);
    const cells = `${fixed(run.load, 3)} *${fixed(load, 3)}* | ${fixed(run.success * 100, 2)} % *${fixed(success * 100, 2)}* |`;
    assert.ok(PAGE.includes(cells), `docs/simulators.md has no ${cells}`);
  });
}

test("a bucket gives what three retries give while failures are rare, and bounds the load once they are not", () => {
  const at = (name: string, failureRate: number) => {
    const defence = DEFENCES[name];
    assert.ok(defence !== undefined);
    return simulateRetries({ defence, failureRate, seed: 1 });
  };
  const [retries, bucket] = [at("three retries", 0.02), at("a bucket of 10 %", 0.02)];
  assert.ok(Math.abs(bucket.success - retries.success) < 0.001, `${bucket.success}, ${retries.success}`);
  // Its ratio, and what it holds at the start over the thousand calls of each client.
  assert.ok(at("a bucket of 10 %", 1).load <= 1.1 + 5 / 950);
  assert.equal(at("three retries", 1).load, 4);
});
