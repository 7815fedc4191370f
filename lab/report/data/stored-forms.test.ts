import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import type { ClientRecord } from "../../../loadgen/core/record.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Sample } from "../../../loadgen/core/series.ts";
import { ledgerOf } from "../../../loadgen/core/ledger.ts";
import { summarise } from "../../../loadgen/core/summary.ts";
import { FACTS } from "../../../loadgen/testdata/facts.ts";
import { SUMMARY_FORM, type RECORD_FORM, type SAMPLE_FORM } from "./stored-forms.ts";

/** Compiles only where whatever a program writes is of the form that readers ask for. */
const written = {
  summary: (summary: RunSummary): z.input<typeof SUMMARY_FORM> => summary,
  record: (record: ClientRecord): z.input<typeof RECORD_FORM> => record,
  sample: (sample: Sample): z.input<typeof SAMPLE_FORM> => sample,
};

test("A summary comes back from its form as it was written, also where nothing was measured", () => {
  const full = summarise(FACTS);
  const empty = summarise({ ...FACTS, client: { ...FACTS.client, due: 0 } });
  assert.equal(empty.successRate, null);
  for (const summary of [full, empty]) {
    const saved: unknown = JSON.parse(JSON.stringify(written.summary(summary)));
    assert.deepEqual(SUMMARY_FORM.parse(saved), saved);
  }
});

test("A summary from before the ledger had all of its rows is read, and its rows add up", () => {
  const whole = summarise(FACTS);
  const { ok, failed, shed, expired, left, longestQueue } = whole.backend;
  const before = { ...whole, backendCalls: ok + failed + shed + expired + left + 7, wastedBackendCalls: 3 };
  const saved: unknown = JSON.parse(
    JSON.stringify({ ...before, schema: 1, backend: { ok, failed, shed, expired, left, longestQueue } }),
  );
  const { backend, backendCalls, schema } = SUMMARY_FORM.parse(saved);
  assert.deepEqual([schema, backend.waiting, backend.wasted, backend.longestQueue], [2, 7, 3, longestQueue]);
  assert.equal(
    ledgerOf({ backend }).reduce((sum, { calls }) => sum + calls, 0),
    backendCalls,
  );
});

test("A name as long as a book is cut off, so that no message has all of it", () => {
  const saved: unknown = JSON.parse(JSON.stringify({ ...summarise(FACTS), policy: "a".repeat(50_000) }));
  assert.equal(SUMMARY_FORM.parse(saved).policy.length, 2000);
});
