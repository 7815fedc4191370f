import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Hedger, SHED_IS_FRESH_MS, type HedgeTrigger } from "./hedge.ts";
import type { Reply } from "../outcome.ts";
import { LEAST_SAMPLES } from "./quantile.ts";

const OK: Reply = { outcome: "ok", status: 200 };
const SHED: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 1000 };

function hedger(trigger: HedgeTrigger, ratio = 1, requests = 10): Hedger {
  const made = new Hedger({ trigger, ratio }, 0);
  for (let n = 0; n < requests; n += 1) made.deposit(0);
  return made;
}

const DELAY: HedgeTrigger = { kind: "delay", delayMs: 15 };

test("a fixed delay is known from the start, a quantile only after enough answers", () => {
  assert.equal(hedger(DELAY).delayMs(), 15);
  const learning = hedger({ kind: "quantile", quantile: 0.95 });
  for (let n = 1; n < LEAST_SAMPLES; n += 1) learning.originalEnded(OK, 8);
  assert.equal(learning.delayMs(), undefined);
  learning.originalEnded(OK, 8);
  const delayMs = learning.delayMs() ?? 0;
  assert.ok(delayMs >= 8 && delayMs < 8.2, `${delayMs}`);
});

test("failures say nothing about how long an answer takes; a timeout and a lost race do", () => {
  const learning = hedger({ kind: "quantile", quantile: 0.5 });
  for (let n = 0; n < 100; n += 1) learning.originalEnded({ outcome: "failed", status: 500 }, 1);
  assert.equal(learning.delayMs(), undefined);
  for (let n = 0; n < 10; n += 1) {
    learning.originalEnded({ outcome: "timeout", status: 504 }, 200);
    learning.originalEnded({ outcome: "cancelled", status: 499 }, 200);
  }
  assert.ok((learning.delayMs() ?? 0) >= 200);
});

test("no copy goes out within a second of a shed reply, nor while the breaker is not closed", () => {
  const hedging = hedger(DELAY);
  assert.equal(hedging.ask(false, 0), "suppressed");
  hedging.heard(SHED, 100);
  assert.equal(hedging.ask(true, 100 + SHED_IS_FRESH_MS - 1), "suppressed");
  assert.equal(hedging.ask(true, 100 + SHED_IS_FRESH_MS), "sent");
});

test("a word not to retry keeps copies back as a shed reply does, a plain failure does not", () => {
  const hedging = hedger(DELAY);
  hedging.heard({ outcome: "failed", status: 500 }, 0);
  assert.equal(hedging.ask(true, 1), "sent");
  hedging.heard({ outcome: "failed", status: 500, doNotRetry: true }, 1);
  assert.equal(hedging.ask(true, 2), "suppressed");
});

test("a suppressed copy costs nothing of the budget", () => {
  const hedging = hedger(DELAY, 1, 1);
  assert.equal(hedging.ask(false, 0), "suppressed");
  assert.equal(hedging.ask(true, 0), "sent");
  assert.equal(hedging.ask(true, 0), "denied");
});

test("copies never exceed the ratio of the requests, however they are asked for", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.boolean(), { maxLength: 400 }),
      (ratio, steps) => {
        const hedging = new Hedger({ trigger: DELAY, ratio }, 0);
        let [requests, sent] = [0, 0];
        for (const isRequest of steps) {
          if (isRequest) {
            requests += 1;
            hedging.deposit(0);
          } else if (hedging.ask(true, 0) === "sent") sent += 1;
          assert.ok(sent <= ratio * requests + 1e-6);
        }
      },
    ),
    { seed: 1 },
  );
});
