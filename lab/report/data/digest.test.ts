import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientRecord } from "../../../loadgen/core/record.ts";
import { RecordDigest } from "./digest.ts";
import { timeGrid } from "./time-grid.ts";

const record = (n: number, intendedMs: number, latencyMs: number, more: Partial<ClientRecord> = {}): ClientRecord => ({
  n,
  id: `o${n}`,
  method: "GET",
  intendedMs,
  lateMs: 0,
  latencyMs,
  outcome: "ok",
  status: 200,
  attempts: 1,
  traceId: "0".repeat(32),
  ...more,
});

test("A good answer counts in the second in which it arrived, a request in the one in which it was due", () => {
  const digest = new RecordDigest(3, 3);
  digest.add(record(0, 100, 50));
  digest.add(record(1, 900, 1500));
  digest.add(record(2, 950, 10, { outcome: "failed", status: 500 }));
  const { offered, good } = digest.result();
  assert.deepEqual(offered, [3]);
  assert.deepEqual(good, [1, 0, 1]);
});

test("The last second under load is told at its own length, also where the load ends within it", () => {
  const digest = new RecordDigest(2.5, 150);
  for (let n = 0; n < 150; n += 1) digest.add(record(n, (n * 1000) / 60, 1));
  assert.deepEqual(digest.result().offered, [60, 60, 60]);
});

test("Bins and attempts hold every request, good or not, once", () => {
  const digest = new RecordDigest(1, 4);
  digest.add(record(0, 0, 10));
  digest.add(record(1, 10, 10.5));
  digest.add(record(2, 20, 2000, { outcome: "timeout", attempts: 3 }));
  digest.add(record(3, 30, 5, { outcome: "failed", attempts: undefined }));
  const { bins, attempts } = digest.result();
  assert.deepEqual(attempts, [
    { attempts: 0, ok: 0, other: 1 },
    { attempts: 1, ok: 2, other: 0 },
    { attempts: 3, ok: 0, other: 1 },
  ]);
  assert.equal(
    bins.reduce((sum, { ok, other }) => sum + ok + other, 0),
    4,
  );
  for (const { fromMs, toMs } of bins) assert.ok(fromMs < toMs);
  assert.ok(bins.some(({ fromMs, toMs, other }) => other === 1 && fromMs <= 2000 && 2000 < toMs));
});

test("The band of a second spans from its median to its 99th percentile, within a hundredth", () => {
  const digest = new RecordDigest(2, 200);
  for (let n = 0; n < 100; n += 1) digest.add(record(n, n, n + 1));
  const [band] = digest.result().bands;
  assert.equal(band?.tS, 0.5);
  assert.ok(Math.abs((band?.p50 ?? 0) - 50) <= 0.5, `p50 ${band?.p50}`);
  assert.ok(Math.abs((band?.p99 ?? 0) - 99) <= 1, `p99 ${band?.p99}`);
});

test("A long run is told in no more intervals, dots and bins than can be seen", () => {
  const hours = 4;
  const requests = 100_000;
  const digest = new RecordDigest(hours * 3600, requests);
  for (let n = 0; n < requests; n += 1) {
    digest.add(record(n, (n / requests) * hours * 3_600_000, 0.0001 * 1.0003 ** n, { attempts: 1 + (n % 1000) }));
  }
  const { bands, dots, bins, attempts, good } = digest.result();
  assert.equal(timeGrid(hours * 3600).widthS, 120);
  assert.ok(
    bands.length <= 121 && good.length <= 601 && dots.length <= 2000,
    `${bands.length} ${good.length} ${dots.length}`,
  );
  assert.ok(bins.length <= 100 && attempts.length <= 20, `${bins.length} ${attempts.length}`);
});
