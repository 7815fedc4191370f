/** The backend's ledger adds up in both worlds, whatever the backend does with its calls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ledgerOf } from "../../loadgen/core/ledger.ts";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { runOf as loadOf } from "../../loadgen/testdata/run-here.ts";
import { runOf } from "../runs/testdata/run-of.ts";
import { chainOf, type Setting } from "./testdata/chain.ts";

/** The rows add up to the calls, no part is larger than its row, and what is said to be wasted is what the parts say. */
function addsUp(run: RunSummary): void {
  const rows = ledgerOf(run);
  const text = JSON.stringify(rows);
  assert.equal(
    rows.reduce((sum, { calls }) => sum + calls, 0),
    run.backendCalls,
    text,
  );
  for (const { calls, parts } of rows) {
    for (const part of parts) assert.ok(part.calls >= 0 && part.calls <= calls, text);
  }
  const wasted = rows.flatMap(({ parts }) => parts).filter(({ name }) => name.endsWith("wasted"));
  assert.equal(
    wasted.reduce((sum, { calls }) => sum + calls, 0),
    run.wastedBackendCalls,
    text,
  );
}

const QUEUE = {
  CAPACITY: fc.constantFrom("20", "60"),
  QUEUE_LIMIT: fc.constantFrom("off", "5"),
  LEAVE_ON_DISCONNECT: fc.constantFrom("0", "1"),
  CODEL: fc.constantFrom("0", "1"),
  DEDUP: fc.constantFrom("off", "wait", "conflict"),
  RESPONSE_LOSS: fc.constantFrom("0", "0.2"),
  REPLICAS: fc.constantFrom("1", "2"),
};
const HOPS = {
  ERROR_RATE: fc.constantFrom("0", "0.4"),
  WRITE_SHARE: fc.constantFrom("0", "0.5"),
  SEED: fc.integer({ min: 1, max: 1000 }).map(String),
};

test("The rows of the ledger add up to the calls in virtual time, with a queue and without one", () => {
  const any = fc.oneof(fc.record({ ...QUEUE, ...HOPS }), fc.record({ THROTTLE: fc.constant("penalty"), ...HOPS }));
  fc.assert(
    fc.property(any, (settings) => addsUp(runOf({ RATE: "40", DURATION_S: "4", ...settings }))),
    { seed: 1, numRuns: 30 },
  );
});

test("Calls that are still queued at the end, and whose callers have gone, have a row and are wasted", () => {
  const run = runOf({ ERROR_RATE: "0", CAPACITY: "20", DURATION_S: "10" });
  const { ok, waiting, wasted, abandoned } = run.backend;
  assert.ok(waiting > ok, JSON.stringify(run.backend));
  assert.equal(run.wastedBackendCalls, wasted + abandoned);
  assert.ok(run.wastedBackendCalls > run.backendCalls / 2, `${run.wastedBackendCalls} of ${run.backendCalls}`);
});

const OVER_HTTP: readonly (Setting & { readonly title: string })[] = [
  { title: "queues without a bound", backend: { capacity: 20 } },
  { title: "sheds", backend: { capacity: 20, queueLimit: 5 } },
  { title: "lets go of callers who leave", backend: { capacity: 20, leaveOnDisconnect: true } },
  { title: "has no queue", backend: { capacity: 20, throttle: "penalty" } },
];

for (const { title, ...setting } of OVER_HTTP) {
  test(`The rows of the ledger add up to the calls over HTTP, where the backend ${title}`, async (t) => {
    const { edge, api, backend } = await chainOf(t, { ...setting, policy: { maxAttempts: 3, attemptTimeoutMs: 200 } });
    const chain = Object.entries({ edge, api, backend }).map(([name, url]) => ({ name, url }));
    const result = await loadOf(t, edge, { chain, durationS: 0.5, warmupS: 0, drainS: 2, writeShare: 0.2 });
    assert.ok(result !== undefined && result.summary.backendCalls > 0);
    addsUp(result.summary);
  });
}
