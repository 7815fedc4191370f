/** Whole runs against a tier that stands in for the services, within this process. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freeze, standIn } from "../testdata/chain.ts";
import { recordsIn, runOf, temporary } from "../testdata/run-here.ts";
import { TierError } from "./tiers.ts";
import { measured } from "../testdata/measured.ts";

test("A run leaves its report: a record for each request, a summary, samples and the settings", async (t) => {
  const { url, arrivals } = await standIn(t);
  const result = await runOf(t, url, {});
  assert.ok(result?.folder);
  const { summary, folder } = result;
  assert.deepEqual([summary.clientRequests, summary.succeeded, summary.backendCalls], [100, 100, 100]);
  assert.equal(arrivals.length, 100, "the warm-up does not count");
  assert.equal(summary.amplification, 1);
  const ids = new Set(recordsIn(folder).map(({ id }) => id));
  assert.equal(ids.size, 100);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")), summary);
  const files = ["effective.env", "records.ndjson", "series.ndjson", "summary.json", "summary.txt"];
  assert.deepEqual(readdirSync(folder).toSorted(), files);
});

test("The warm-up takes nothing from the run: its orders are no orders of the run, and the run's are the same without it", async (t) => {
  const seenWith = async (warmupS: number): Promise<{ warm: string[]; run: string[]; records: unknown[] }> => {
    const { url, paths } = await standIn(t);
    const setting = { warmupS, durationS: 0.3, arrivals: "poisson", writeShare: 0.5, seed: 7 } as const;
    const result = await runOf(t, url, setting);
    assert.ok(result?.folder);
    const records = recordsIn(result.folder)
      .toSorted((a, b) => a.n - b.n)
      .map(({ n, id, method, intendedMs, traceId }) => ({ n, id, method, intendedMs, traceId }));
    const isWarm = (path: string): boolean => path.startsWith("/orders/warm-");
    return { warm: paths.filter(isWarm), run: paths.filter((path) => !isWarm(path)).toSorted(), records };
  };
  const [cold, warm] = [await seenWith(0), await seenWith(0.2)];
  assert.equal(cold.warm.length, 0);
  assert.ok(warm.warm.length >= 20);
  assert.equal(new Set(warm.warm).size, warm.warm.length);
  assert.ok(cold.run.length > 5 && cold.run.every((path) => path.startsWith("/orders/s7-")));
  assert.deepEqual(warm.run, cold.run);
  assert.deepEqual(warm.records, cold.records);
});

/**
 * A server that answers nothing from its order `first` on, until its order `last` has come, or `mostMs` have passed.
 */
function frozenFor(first: number, last: number, mostMs: number) {
  const held: ServerResponse[] = [];
  let holding = false;
  const thaw = (): void => {
    holding = false;
    for (const res of held) res.end("{}");
  };
  const order = (res: ServerResponse, n: number): void => {
    if (n === first) {
      holding = true;
      setTimeout(thaw, mostMs);
    }
    if (holding) held.push(res);
    else res.end("{}");
    if (n === last) thaw();
  };
  return { order, held };
}

// Case 15 of docs/cases.md.
test("While the server is frozen, every due request is still sent, and the latency is that from when it was due", async (t) => {
  // The server and the generator share this thread, so the server holds its answers back instead of the thread.
  const { order, held } = frozenFor(20, 79, 8000);
  const { url } = await standIn(t, { order });
  const result = await runOf(t, url, { warmupS: 0 });
  assert.ok(result?.folder);
  assert.equal(result.summary.clientRequests, 100);
  assert.equal(held.length, 60, "sent into the freeze");
  // Nobody was answered before the request of 790 ms was due.
  const waited = recordsIn(result.folder).filter(({ intendedMs, latencyMs }) => latencyMs >= 790 - intendedMs);
  assert.ok(waited.length >= 60, `${waited.length} waited for the end of the freeze`);
  const { p50, p99 } = result.summary.latencyMs;
  assert.ok(measured(p99) >= 550, `p99 ${p99}`);
  assert.ok(measured(p50) >= 50, `p50 ${p50}`);
});

// Case 14 of docs/cases.md.
test("A generator that stalls says so: late requests are counted, and the run is INVALID", async (t) => {
  const { url } = await standIn(t, {
    order(res, n) {
      res.end("{}");
      if (n === 10) freeze(1000);
    },
  });
  const result = await runOf(t, url, { rate: 60, durationS: 2, warmupS: 0 });
  assert.ok(result);
  const { valid, invalidReasons, generator, clientRequests, latencyMs } = result.summary;
  assert.equal(clientRequests, 120);
  assert.ok(generator.late >= 55, `${generator.late} late`);
  assert.ok(measured(latencyMs.max) >= 900, "what the generator lost is the user's wait too");
  assert.equal(valid, false);
  assert.match(invalidReasons.join("\n"), /the generator could not keep its schedule/);
});

test("A closed loop sends hardly anything while the server stalls, and does not see the stall", async (t) => {
  const setting = { durationS: 2, warmupS: 0 } as const;
  // The open loop goes on sending and so ends the freeze; the closed one cannot, and waits for all of it.
  const [openServer, closedServer] = [frozenFor(0, 99, 8000), frozenFor(0, 99, 1500)];
  const open = await runOf(t, (await standIn(t, openServer)).url, setting);
  const closed = await runOf(t, (await standIn(t, closedServer)).url, { ...setting, mode: "closed" });
  assert.ok(open && closed);
  assert.equal(closed.summary.generator.mode, "closed");
  assert.equal(openServer.held.length, 100);
  assert.equal(closedServer.held.length, 4, "the load gave way: one for each of its connections");
  const [seen, unseen] = [open.summary.latencyMs, closed.summary.latencyMs];
  assert.ok(measured(seen.p90) > 700, `open: p90 ${seen.p90}`);
  assert.ok(measured(unseen.p50) < measured(seen.p90), `closed: p50 ${unseen.p50}`);
});

test("An interrupted run keeps what was measured, and is INVALID", async (t) => {
  const controller = new AbortController();
  const { url } = await standIn(t, {
    order(res, n) {
      res.end("{}");
      if (n === 30) controller.abort();
    },
  });
  const result = await runOf(t, url, { durationS: 60, warmupS: 0, stop: controller.signal });
  assert.ok(result?.folder);
  const { valid, invalidReasons, clientRequests } = result.summary;
  assert.equal(valid, false);
  assert.match(invalidReasons[0] ?? "", /interrupted/);
  assert.ok(clientRequests > 0 && clientRequests < 3000, String(clientRequests));
  assert.ok(recordsIn(result.folder).length > 0);
});

test("A run that is interrupted before it is measured leaves nothing", async (t) => {
  const { url } = await standIn(t);
  const reportsDir = temporary(t);
  assert.equal(await runOf(t, url, { stop: AbortSignal.abort(), reportsDir }), undefined);
  assert.deepEqual(readdirSync(reportsDir), []);
});

test("A tier that dies ends the run early; the report says which, and keeps what was measured", async (t) => {
  const tier = await standIn(t, {
    order(res, n) {
      if (n < 120) res.end("{}");
      else tier.die();
    },
  });
  const result = await runOf(t, tier.url, { durationS: 60, warmupS: 0 });
  assert.ok(result?.folder && existsSync(result.folder));
  const { valid, invalidReasons, clientRequests } = result.summary;
  assert.equal(valid, false);
  assert.match(invalidReasons[0] ?? "", /a tier stopped answering.*backend \(http/);
  assert.ok(clientRequests >= 100 && clientRequests < 3000, String(clientRequests));
});

test("A tier that is not the one that CHAIN says is named before anything is measured", async (t) => {
  const { url } = await standIn(t);
  const reportsDir = temporary(t);
  await assert.rejects(
    runOf(t, url, { chain: [{ name: "edge", url }], reportsDir, warmupS: 0 }),
    (error) => error instanceof TierError && /it calls itself "backend": check CHAIN/.test(error.message),
  );
  assert.deepEqual(readdirSync(reportsDir), []);
});
