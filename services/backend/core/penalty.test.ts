import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { createBackend, type BackendConfig } from "./model.ts";
import { penaltyOf, RecentArrivals } from "./penalty.ts";
import type { BackendReply } from "./request.ts";

const TABLE: readonly (readonly [rate: number, latencyMs: number, errorRate: number, why: string])[] = [
  [0, 0, 0.4, "nobody comes"],
  [90, 0, 0.4, "as many as it can take"],
  [99, 150, 0.5, "a tenth too many: 150 ms and ten points more failures"],
  [180, 1500, 0.95, "twice as many: 1,500 ms, and failures at their cap"],
  [900, 13_500, 0.95, "ten times as many: latency has no cap"],
];

for (const [rate, latencyMs, errorRate, why] of TABLE) {
  test(`At ${rate} of 90 calls/s: ${why}`, () => {
    const penalty = penaltyOf(rate, 90, 0.4);
    assert.ok(Math.abs(penalty.latencyMs - latencyMs) < 1e-9);
    assert.ok(Math.abs(penalty.errorRate - errorRate) < 1e-9);
  });
}

test("The rate counts the current bucket and the nine before it, whatever the arrivals' times", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 }), (gaps) => {
      const recent = new RecentArrivals();
      const times: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        times.push(now);
        recent.add(now);
        const current = Math.floor(now / 100);
        assert.equal(recent.rate(now), times.filter((time) => Math.floor(time / 100) > current - 10).length);
      }
      assert.equal(recent.rate(now + 1100), 0);
    }),
  );
});

const CONFIG: BackendConfig = {
  throttle: "penalty",
  capacity: 10,
  errorRate: 0,
  latencyMs: 5,
  queueLimit: Infinity,
  shedRetryAfterS: 1,
  dropExpired: false,
  leaveOnDisconnect: false,
  timeline: [],
};

function served(calls: number) {
  const clock = new VirtualClock();
  const backend = createBackend(CONFIG, clock, 1);
  backend.begin(1);
  const answers: { reply: BackendReply; atMs: number }[] = [];
  const leave = Array.from({ length: calls }, (_, i) =>
    backend.serve({ id: `o${i}`, method: "GET" }, (reply) => answers.push({ reply, atMs: clock.now() })),
  );
  return { clock, backend, answers, leave };
}

test("Within its capacity it answers all, each after the base latency", () => {
  const { clock, answers, backend } = served(10);
  clock.runUntilIdle();
  assert.deepEqual([...new Set(answers.map(({ atMs }) => atMs))], [5]);
  assert.equal(backend.counts().ok, 10);
  assert.equal(backend.counts().longestQueue, 0);
});

test("Beyond its capacity each further call takes longer, and some fail", () => {
  const { clock, answers, backend } = served(20);
  clock.runUntilIdle();
  assert.equal(answers.at(-1)?.atMs, 1505);
  const { ok, failed } = backend.counts();
  assert.equal(ok + failed, 20);
  assert.ok(failed > 0);
});

test("A call ends when its caller leaves, and is counted as left", () => {
  const { clock, answers, backend, leave } = served(3);
  leave[0]?.();
  leave[0]?.();
  clock.runUntilIdle();
  assert.equal(answers.length, 2);
  const { arrivals, ok, left, serving } = backend.counts();
  assert.deepEqual({ arrivals, ok, left, serving }, { arrivals: 3, ok: 2, left: 1, serving: 0 });
});
