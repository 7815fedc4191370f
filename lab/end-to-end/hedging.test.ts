/** Second copies over real HTTP: one hop and a backend with two replicas. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBackendApp } from "../../services/backend/app.ts";
import type { BackendConfig } from "../../services/backend/core/model.ts";
import { createHopApp } from "../../services/hop/app.ts";
import { realClock } from "../../services/real-time/clock.ts";
import type { BackendStats, HopStats } from "../../services/contract/stats.ts";
import { ask, askJson, metric, serve, silent } from "../../services/http/testdata/http.ts";
import type { HedgePolicy } from "../../services/policy/hedge/hedge.ts";
import { policyWith } from "../../services/policy/testdata/policies.ts";

/** The slow replica's queue never moves while a test lasts: its one token is spent, and the next comes in half an hour. */
const STUCK: BackendConfig = {
  replicas: 2,
  capacity: 0.001,
  capacityBurst: 2,
  errorRate: 0,
  latencyMs: 0,
  queueLimit: Infinity,
  shedRetryAfterS: 1,
  dropExpired: false,
  leaveOnDisconnect: true,
  timeline: [],
};

async function hedgingChain(t: TestContext, hedge: HedgePolicy): Promise<{ api: string; backend: string }> {
  const shared = { seed: 1, clock: realClock, log: silent, isStopping: () => false };
  const last = createBackendApp({ name: "backend", config: STUCK, ...shared });
  t.after(last.close);
  const backend = await serve(t, last.app);
  const { app, close } = createHopApp({
    name: "api",
    policy: policyWith({ maxAttempts: 1, attemptTimeoutMs: Infinity, replicas: 2, hedge }),
    upstreamUrl: backend,
    upstreamConnections: 8,
    ...shared,
  });
  t.after(close);
  return { api: await serve(t, app), backend };
}

/** Asks until the backend's counters say so; it hears of a closed connection a moment after it was closed. */
async function statsWhen(url: string, isSo: (stats: BackendStats) => boolean): Promise<BackendStats> {
  for (;;) {
    const stats = await askJson<BackendStats>("GET", `${url}/stats`);
    if (isSo(stats)) return stats;
  }
}

test(
  "The copy's answer is used, and the original's call is aborted and leaves the replica's queue",
  { timeout: 20_000 },
  async (t) => {
    const { api, backend } = await hedgingChain(t, { trigger: { kind: "delay", delayMs: 5 }, ratio: 1 });
    await ask(`${backend}/orders/first`, { headers: { "x-lab-replica": "1" } });
    const { status, headers } = await ask(`${api}/orders/o1`);
    assert.deepEqual([status, headers.get("x-lab-attempts")], [200, "2"]);
    const { ok, left, waiting, arrivals } = await statsWhen(backend, (stats) => stats.left > 0);
    assert.deepEqual({ ok, left, waiting, arrivals }, { ok: 2, left: 1, waiting: 0, arrivals: 3 });
    const stats = await askJson<HopStats>("GET", `${api}/stats`);
    assert.deepEqual(stats.hedges, { sent: 1, won: 1, suppressed: 0, denied: 0 });
    assert.equal(stats.attemptOutcomes.cancelled, 1);
    assert.equal(await metric(api, "lab_hedges_total", { event: "won" }), 1);
  },
);

test(
  "Tied copies over HTTP: the replica that is free serves, and the other spends no token",
  { timeout: 20_000 },
  async (t) => {
    const { api, backend } = await hedgingChain(t, { trigger: { kind: "tied" }, ratio: 1 });
    await ask(`${backend}/orders/first`, { headers: { "x-lab-replica": "1" } });
    assert.equal((await ask(`${api}/orders/o1`)).status, 200);
    const { ok, waiting, arrivals, left } = await statsWhen(backend, (stats) => stats.left > 0);
    assert.deepEqual({ ok, left, waiting, arrivals }, { ok: 2, left: 1, waiting: 0, arrivals: 3 });
  },
);
