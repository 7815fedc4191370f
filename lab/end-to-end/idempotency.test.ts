/** Writes that take longer than an attempt may: what a retry with the same idempotency key meets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runOf, type Settings } from "../runs/testdata/run-of.ts";

/** Each write takes 300 ms, and an attempt at it may take 200. */
const SLOW_WRITES = { WRITE_SHARE: "1", LATENCY_MS: "300", ERROR_RATE: "0", CAPACITY: "1000" };
const PATIENT = { BACKOFF: "exponential", BACKOFF_BASE_MS: "100" };

const madeWith = (settings: Settings) => runOf({ ...SLOW_WRITES, ...settings });

test("Without remembered keys each retry writes once more, and nobody hears of it", () => {
  const { succeeded, duplicateEffects } = madeWith({ DEDUP: "off" });
  assert.deepEqual([succeeded, duplicateEffects > 4000], [0, true]);
});

test("A retry that waits for the attempt before it gets its answer: every write once, every caller told", () => {
  const { succeeded, clientRequests, effects } = madeWith({ DEDUP: "wait" });
  assert.deepEqual([succeeded, effects], [clientRequests, clientRequests]);
});

test("Where the retry is told 409, a backoff that outlasts the work has its answer, and a shorter one gives up", () => {
  const patient = madeWith({ DEDUP: "conflict", ...PATIENT });
  assert.deepEqual([patient.succeeded, patient.effects], [patient.clientRequests, patient.clientRequests]);
  const hasty = madeWith({ DEDUP: "conflict" });
  assert.deepEqual([hasty.succeeded, hasty.effects], [0, hasty.clientRequests]);
  assert.equal(hasty.outcomes.rejected, 0, "it is not the callers' fault");
  assert.equal(hasty.outcomes.failed, hasty.clientRequests);
});

test("A key that is forgotten before the late copy comes is done once more", () => {
  const { duplicateEffects, succeeded } = madeWith({
    DEDUP: "wait",
    DEDUP_TTL_S: "0.001",
    RESPONSE_LOSS: "0.5",
    LATENCY_MS: "8",
  });
  assert.ok(duplicateEffects > 0 && succeeded > 0);
});
