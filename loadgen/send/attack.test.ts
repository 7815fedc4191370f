import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedClock } from "../../services/real-time/clock.ts";
import { nobody } from "../../services/http/testdata/http.ts";
import { VirtualClock } from "../../services/virtual-time/clock.ts";
import { createAttack, type AttackParts } from "./attack.ts";
import type { ClientRecord } from "../core/record.ts";
import { standIn } from "../testdata/chain.ts";

const parts = (url: string, more: Partial<AttackParts> = {}): AttackParts => ({
  url,
  connections: 8,
  timeoutMs: Infinity,
  seed: 1,
  clock: sharedClock,
  ...more,
});

interface Sent {
  readonly record: ClientRecord;
  readonly sent: boolean;
}

/** Sends `count` reads at once, due `agoMs` ago, and closes when all have ended. */
async function attack(setting: AttackParts, count = 1, agoMs = 0): Promise<Sent[]> {
  const { send, inFlight, close } = createAttack(setting);
  const startMs = setting.clock.now() - agoMs;
  const one = (n: number): Promise<Sent> =>
    new Promise((resolve) =>
      send({ n, id: `o${n}`, method: "GET", intendedMs: 0 }, startMs, (record, sent) => resolve({ record, sent })),
    );
  const all = await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  assert.equal(inFlight(), 0);
  await close();
  return all;
}

test("A good answer is recorded with what the edge says of itself", async (t) => {
  const { url } = await standIn(t);
  const [only] = await attack(parts(url));
  assert.equal(only?.sent, true);
  const { outcome, status, stop, attempts, traceId } = only.record;
  assert.deepEqual([outcome, status, stop, attempts], ["ok", 200, "success", 1]);
  assert.match(traceId, /^[0-9a-f]{32}$/);
});

const PROBLEM = { "content-type": "application/problem+json", "x-lab-attempts": "3" };
const ANSWERS = [
  {
    why: "A problem's own outcome and reason count",
    status: 504,
    headers: PROBLEM,
    body: '{"outcome":"deadline","stop":"deadline_too_near"}',
    wanted: ["deadline", 504, "deadline_too_near", 3],
  },
  {
    why: "Words that the lab does not know count as none",
    status: 500,
    headers: PROBLEM,
    body: '{"outcome":"fine","stop":"whatever"}',
    wanted: ["failed", 500, undefined, 3],
  },
  {
    why: "A proxy's page says no more than its status",
    status: 503,
    headers: { "content-type": "text/html" },
    body: "<h1>busy</h1>",
    wanted: ["overloaded", 503, undefined, undefined],
  },
];

for (const { why, status, headers, body, wanted } of ANSWERS) {
  test(why, async (t) => {
    const { url } = await standIn(t, { order: (res) => res.writeHead(status, headers).end(body) });
    const [only] = await attack(parts(url));
    const { record } = only ?? {};
    assert.deepEqual([record?.outcome, record?.status, record?.stop, record?.attempts], wanted);
  });
}

test("Latency and lateness count from the time at which a request was due", async (t) => {
  const { url } = await standIn(t);
  const [only] = await attack(parts(url), 1, 5000);
  assert.ok(only && only.record.lateMs >= 5000 && only.record.latencyMs >= only.record.lateMs);
});

test("Where nobody listens, the request was never sent", async () => {
  const [only] = await attack(parts(await nobody()));
  assert.deepEqual([only?.sent, only?.record.outcome, only?.record.status], [false, "failed", 0]);
});

test("The client gives up after its patience, counted from when the request was due", async (t) => {
  const virtual = new VirtualClock();
  const { url } = await standIn(t, { order: () => virtual.runUntil(50) });
  const [only] = await attack(parts(url, { timeoutMs: 60_050, clock: virtual }), 1, 60_000);
  assert.deepEqual([only?.sent, only?.record.outcome, only?.record.status], [true, "timeout", 0]);
  assert.deepEqual([only?.record.lateMs, only?.record.latencyMs], [60_000, 60_050]);
});

test("Connections are capped: what waits for one is sent later, and what never gets one is not sent", async (t) => {
  const virtual = new VirtualClock();
  const order = (_: unknown, n: number): void => {
    if (n === 1) virtual.runUntil(100);
  };
  const { url, arrivals } = await standIn(t, { order });
  const all = await attack(parts(url, { connections: 2, timeoutMs: 100, clock: virtual }), 5);
  assert.deepEqual(
    all.map(({ sent }) => sent),
    [true, true, false, false, false],
  );
  assert.equal(arrivals.length, 2);
});
