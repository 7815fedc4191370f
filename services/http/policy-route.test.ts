import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBackendApp } from "../backend/app.ts";
import { createHopApp } from "../hop/app.ts";
import { backendConfigOf } from "../backend/config.ts";
import { realClock } from "../real-time/clock.ts";
import { retryPolicyOf } from "../hop/config.ts";
import type { BackendStats, HopStats, RunDescription } from "../contract/stats.ts";
import { ask, askJson, heard, serve } from "./testdata/http.ts";
import { readValues } from "../settings/values.ts";

/** An edge with three attempts and no wait before a backend whose every answer fails. */
async function chain(t: TestContext): Promise<{ edge: string; backend: string }> {
  const values = readValues({ BACKOFF: "none", ERROR_RATE: "1", CAPACITY: "1000", LATENCY_MS: "0" });
  const common = { seed: 1, clock: realClock, isStopping: () => false };
  const logOf = (name: string) => heard(name, "silent", () => {});
  const config = backendConfigOf(values);
  const below = createBackendApp({ name: "backend", config, log: logOf("backend"), ...common });
  t.after(below.close);
  const backend = await serve(t, below.app);
  const above = createHopApp({
    name: "edge",
    policy: retryPolicyOf(values, "edge"),
    upstreamUrl: backend,
    upstreamConnections: 4,
    log: logOf("edge"),
    ...common,
  });
  t.after(above.close);
  return { edge: await serve(t, above.app), backend };
}

const put = (url: string, body: unknown) => askJson<RunDescription & { detail?: string }>("PUT", `${url}/policy`, body);

const UNTIMED = { cpuMs: 0, uptimeMs: 0, loopLagP99Ms: 0 };

test("A hop takes its own part of another policy at once, and its counters go on", async (t) => {
  const { edge } = await chain(t);
  await ask(`${edge}/orders/a`);
  const described = await put(edge, { MAX_ATTEMPTS: "3", EDGE_MAX_ATTEMPTS: "2", API_MAX_ATTEMPTS: "5" });
  assert.equal(described.kind === "hop" && described.policy.maxAttempts, 2);
  await ask(`${edge}/orders/b`);
  const { arrivals, attempts, inFlight } = await askJson<HopStats>("GET", `${edge}/stats`);
  assert.deepEqual({ arrivals, attempts, inFlight }, { arrivals: 2, attempts: 5, inFlight: 0 });
});

test("The policy that a run begins with is the one that was put last", async (t) => {
  const { edge } = await chain(t);
  await put(edge, { MAX_ATTEMPTS: "1" });
  const run = await askJson<RunDescription>("POST", `${edge}/run`, { seed: 7 });
  assert.equal(run.kind === "hop" && run.policy.maxAttempts, 1);
  await ask(`${edge}/orders/a`);
  assert.equal((await askJson<HopStats>("GET", `${edge}/stats`)).attempts, 1);
});

test("The backend takes its defences and keeps the faults that hold", async (t) => {
  const { backend } = await chain(t);
  const described = await put(backend, { QUEUE_LIMIT: "0", CAPACITY: "5", ERROR_RATE: "0" });
  assert.deepEqual(described.kind === "backend" && described.faults, {
    capacity: 1000,
    errorRate: 1,
    latencyMs: 0,
  });
  await askJson("PUT", `${backend}/faults`, { capacity: 0.001 });
  const calls = Array.from({ length: 150 }, (_, n) => ask(`${backend}/orders/o${n}`));
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  assert.ok(statuses.has(503), [...statuses].join(" "));
  assert.ok((await askJson<BackendStats>("GET", `${backend}/stats`)).shed > 0);
});

test("Every fault of the body is named, and nothing changes", async (t) => {
  const { edge } = await chain(t);
  const wrong = { MAX_ATTEMPTS: "many", BUDGET_RATIO: "-1" };
  const { detail = "" } = await put(edge, wrong);
  assert.match(detail, /MAX_ATTEMPTS.*many.*BUDGET_RATIO.*-1/su);
  assert.match((await put(edge, { MAX_ATEMPTS: "1" })).detail ?? "", /MAX_ATEMPTS is not a setting/u);
  assert.match((await put(edge, { MAX_ATTEMPTS: 1 })).detail ?? "", /MAX_ATTEMPTS must be a text/u);
  assert.match((await put(edge, [])).detail ?? "", /JSON object of names and texts/u);
  await ask(`${edge}/orders/a`);
  assert.equal((await askJson<HopStats>("GET", `${edge}/stats`)).attempts, 3);
});

test("A web page cannot change the policy", async (t) => {
  const { edge } = await chain(t);
  const { status } = await ask(`${edge}/policy`, {
    method: "PUT",
    headers: { "content-type": "application/json", origin: "http://elsewhere.example" },
    body: '{"MAX_ATTEMPTS":"1"}',
  });
  assert.equal(status, 403);
});

test("A policy that a hop cannot take changes nothing, and runs begin as before", async (t) => {
  const { edge } = await chain(t);
  // But for what the process measures of itself.
  const stats = async () => ({ ...(await askJson<HopStats>("GET", `${edge}/stats`)), ...UNTIMED });
  const before = await stats();
  const { detail = "" } = await put(edge, { MAX_ATTEMPTS: "2", BUDGET: "token-bucket", BUDGET_SCOPE: "fleet" });
  assert.match(detail, /BUDGET_SCOPE=fleet needs a store/u);
  assert.deepEqual(await stats(), before);
  const run = await askJson<RunDescription>("POST", `${edge}/run`, { seed: 7 });
  assert.equal(run.kind === "hop" && run.policy.maxAttempts, 3);
  await ask(`${edge}/orders/a`);
  assert.equal((await askJson<HopStats>("GET", `${edge}/stats`)).attempts, 3);
});

test("Names that every object knows are strangers in a policy, and hops like any other in TIERS", async (t) => {
  const { edge, backend } = await chain(t);
  for (const url of [edge, backend]) {
    const stranger = await ask(`${url}/policy`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"__proto__":"1","constructor":"2"}',
    });
    assert.equal(stranger.status, 400);
    assert.match(stranger.text, /__proto__ is not a setting; constructor is not a setting/u);
    assert.equal((await put(url, { TIERS: "constructor,edge" })).detail, undefined);
  }
});
