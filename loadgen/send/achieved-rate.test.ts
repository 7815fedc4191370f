/**
 * Case 13 of docs/cases.md: the rate that was sent is the rate that was asked for, within 2 %, or the run says
 * INVALID.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClientRecord } from "../core/record.ts";
import { schedule, type ScheduleConfig } from "../core/schedule.ts";
import { summarise } from "../core/summary.ts";
import { ClientTally } from "../output/tally.ts";
import { standIn } from "../testdata/chain.ts";
import { FACTS } from "../testdata/facts.ts";
import { recordsIn, runOf } from "../testdata/run-here.ts";

const TOLERANCE = 0.02;

/** Requests a second, from the first that was sent to the last. */
function achieved(records: readonly Pick<ClientRecord, "intendedMs" | "lateMs">[]): number {
  const sentMs = records.map(({ intendedMs, lateMs }) => intendedMs + lateMs);
  return ((records.length - 1) * 1000) / (Math.max(...sentMs) - Math.min(...sentMs));
}

const isOff = (rate: number, asked: number): boolean => Math.abs(rate - asked) > TOLERANCE * asked;

const planAt = (rate: number, durationS: number): ScheduleConfig => ({
  rate,
  durationS,
  arrivals: "constant",
  rateProfile: [],
  seed: 1,
  writeShare: 0,
  idempotencyKeys: true,
});

/** What a generator records that takes `slowness` times as long as it should. */
function recordsAt(plan: ScheduleConfig, slowness: number): ClientRecord[] {
  return [...schedule(plan)].map(({ n, id, method, intendedMs }) => ({
    n,
    id,
    method,
    intendedMs,
    lateMs: intendedMs * (slowness - 1),
    // So long that only the length of the load itself is left to judge the lateness by.
    latencyMs: 100_000,
    outcome: "ok",
    status: 200,
    traceId: "0".repeat(32),
  }));
}

function isValid(plan: ScheduleConfig, records: readonly ClientRecord[]): boolean {
  const tally = new ClientTally();
  for (const record of records) tally.add(record, true);
  // Tiers that have seen every request, so that nothing but the generator speaks against the run.
  const backend = FACTS.tiers.at(-1);
  assert.ok(backend);
  const saw = { ...backend, last: { ...backend.last, arrivals: records.length, ok: records.length } };
  const client = tally.figures(records.length);
  return summarise({ ...FACTS, plan, loadedS: plan.durationS, client, tiers: [saw] }).valid;
}

test("A generator that keeps any rate, also one that does not divide, sends it within 2 %, and is valid", () => {
  for (const rate of [7, 33.3, 60, 97, 144.7, 1000, 2000]) {
    const plan = planAt(rate, 5);
    const records = recordsAt(plan, 1);
    assert.ok(!isOff(achieved(records), rate), `asked ${rate}, sent ${achieved(records)}`);
    assert.equal(records.length, Math.ceil(rate * 5 - 1e-9));
    assert.ok(isValid(plan, records), String(rate));
  }
});

// Case 13 of docs/cases.md.
test("A generator that is more than 2 % slower than any rate that it was asked for is INVALID", () => {
  const cases = fc.record({
    rate: fc.double({ min: 5, max: 400, noNaN: true }),
    durationS: fc.double({ min: 1, max: 10, noNaN: true }),
    slowness: fc.double({ min: 1.0205, max: 4, noNaN: true }),
  });
  fc.assert(
    fc.property(cases, ({ rate, durationS, slowness }) => {
      const plan = planAt(rate, durationS);
      const records = recordsAt(plan, slowness);
      assert.ok(isOff(achieved(records), rate));
      assert.equal(isValid(plan, records), false);
    }),
    { numRuns: 60, seed: 13 },
  );
});

// Case 13 of docs/cases.md.
test("Over HTTP, rates that do not divide and a single connection are sent within 2 %, or the run is INVALID", async (t) => {
  // Fewer than 100 requests: a single late one makes the run INVALID, whatever the machine was at.
  const cases = [
    { rate: 33.3, clientConnections: 256 },
    { rate: 97, clientConnections: 256 },
    { rate: 94.7, clientConnections: 1 },
  ];
  for (const setting of cases) {
    const { url } = await standIn(t);
    const result = await runOf(t, url, { ...setting, warmupS: 0 });
    assert.ok(result?.folder);
    const { valid, clientRequests } = result.summary;
    const rate = achieved(recordsIn(result.folder));
    assert.equal(clientRequests, Math.ceil(setting.rate));
    assert.ok(!valid || !isOff(rate, setting.rate), `asked ${setting.rate}, sent ${rate}`);
  }
});

test("A client whose one connection cannot carry the rate sends less than it was asked for, and the run is INVALID", async (t) => {
  const { url } = await standIn(t, { order: (res) => void setTimeout(() => res.end("{}"), 50) });
  const result = await runOf(t, url, { rate: 40, clientConnections: 1, warmupS: 0 });
  assert.ok(result?.folder);
  const rate = achieved(recordsIn(result.folder));
  assert.ok(rate < 25, `one answer each 50 ms: at most 20 requests a second, not ${rate}`);
  assert.match(result.summary.invalidReasons.join("\n"), /more CLIENT_CONNECTIONS/);
});
