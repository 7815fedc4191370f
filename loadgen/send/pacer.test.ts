import assert from "node:assert/strict";
import { test } from "node:test";
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import { startPacer } from "./pacer.ts";
import type { Arrival, ScheduleConfig } from "../core/schedule.ts";
import { schedule } from "../core/schedule.ts";
import { freeze } from "../testdata/chain.ts";

const CONFIG: ScheduleConfig = {
  rate: 200,
  durationS: 0.5,
  arrivals: "poisson",
  rateProfile: [],
  seed: 3,
  writeShare: 0.5,
  idempotencyKeys: true,
};

/** Runs the schedule; each arrival with the time at which it was handed out, from the schedule's start. */
async function paced(config: ScheduleConfig, onDue: (arrival: Arrival, pacer: { stop(): void }) => void) {
  const due: { readonly arrival: Arrival; readonly atMs: number }[] = [];
  let startMs = 0;
  const pacer = startPacer({
    config,
    onStart: (at) => {
      startMs = at;
    },
    onDue(arrival) {
      due.push({ arrival, atMs: monotonicMs() - startMs });
      onDue(arrival, pacer);
    },
  });
  await pacer.over;
  return { due, endedMs: monotonicMs() - startMs };
}

// Case 13 of docs/cases.md.
test("The pacer hands out exactly the schedule, in order, never early, and ends with it", async () => {
  const { due, endedMs } = await paced(CONFIG, () => {});
  assert.deepEqual(
    due.map(({ arrival }) => arrival),
    [...schedule(CONFIG)],
  );
  for (const { arrival, atMs } of due) assert.ok(atMs >= arrival.intendedMs, `${atMs} for ${arrival.intendedMs}`);
  assert.ok(endedMs >= 500);
});

test("What becomes due while the main thread stalls is handed out afterwards, late, and none is skipped", async () => {
  let frozen = false;
  const { due } = await paced(CONFIG, () => {
    if (!frozen) freeze(300);
    frozen = true;
  });
  assert.equal(due.length, [...schedule(CONFIG)].length);
  const late = due.filter(({ arrival, atMs }) => atMs - arrival.intendedMs > 5);
  const first = due[0]?.arrival.intendedMs ?? 0;
  const inStall = due.filter(({ arrival }) => arrival.intendedMs > first && arrival.intendedMs < first + 290);
  assert.ok(
    inStall.length > 20 && late.length >= inStall.length,
    `${late.length} late, ${inStall.length} in the stall`,
  );
});

test("A stopped pacer hands out no more", async () => {
  const { due } = await paced({ ...CONFIG, durationS: 600 }, (_arrival, pacer) => pacer.stop());
  // What was on its way to this thread is still handed out: a few, of 120,000.
  assert.ok(due.length < 2000, String(due.length));
});
