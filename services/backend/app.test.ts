import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBackendApp } from "./app.ts";
import type { BackendConfig } from "./core/model.ts";
import type { BackendStats } from "../contract/stats.ts";
import { ask, askJson, heard, metric, promised, serve, silent } from "../http/testdata/http.ts";
import { VirtualClock } from "../virtual-time/clock.ts";

/** A backend over HTTP in virtual time: what it waits for happens when the test says so. */
async function backendWith(
  t: TestContext,
  config: Partial<BackendConfig>,
  log = silent,
): Promise<{ url: string; clock: VirtualClock }> {
  const clock = new VirtualClock();
  const { app, close } = createBackendApp({
    name: "backend",
    config: {
      capacity: 90,
      errorRate: 0,
      latencyMs: 8,
      queueLimit: Infinity,
      shedRetryAfterS: 1,
      dropExpired: false,
      leaveOnDisconnect: false,
      timeline: [],
      ...config,
    },
    seed: 1,
    clock,
    log,
    isStopping: () => false,
  });
  t.after(close);
  return { url: await serve(t, app), clock };
}

const statsOf = (url: string): Promise<BackendStats> => askJson("GET", `${url}/stats`);

/** Waits until the backend's own counters say so. */
async function until(url: string, holds: (stats: BackendStats) => boolean): Promise<BackendStats> {
  for (;;) {
    const stats = await statsOf(url);
    if (holds(stats)) return stats;
  }
}

/** Asks and steps the clock until the answer is there. */
async function served(url: string, clock: VirtualClock, path: string, init: RequestInit = {}): Promise<number> {
  const { arrivals } = await statsOf(url);
  const answer = ask(`${url}${path}`, init);
  await until(url, (stats) => stats.arrivals > arrivals);
  clock.runUntilIdle(clock.now() + 1000);
  return (await answer).status;
}

const write = (key?: string): RequestInit => ({
  method: "POST",
  ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
});

test("A write has an effect, a read has none, and a key or the id says which effects are one intention", async (t) => {
  const { url, clock } = await backendWith(t, {});
  assert.equal(await served(url, clock, "/orders/o1"), 200);
  assert.equal((await statsOf(url)).effects, 0);
  const writes: [id: string, key: string | undefined, effects: number, duplicates: number][] = [
    ["o1", "k1", 1, 0],
    ["o1", "k2", 2, 0],
    ["o1", "k1", 3, 1],
    ["o2", undefined, 4, 1],
    ["o2", undefined, 5, 2],
  ];
  for (const [id, key, effects, duplicates] of writes) {
    assert.equal(await served(url, clock, `/orders/${id}`, write(key)), 200);
    const stats = await statsOf(url);
    assert.deepEqual([stats.effects, stats.duplicateEffects], [effects, duplicates], `${id} ${key}`);
  }
  assert.equal(await metric(url, "lab_backend_duplicate_effects_total"), 2);
});

test("PUT /faults changes the running backend at once, and the history tells", async (t) => {
  const { url, clock } = await backendWith(t, {});
  assert.equal(await served(url, clock, "/orders/o1"), 200);
  assert.deepEqual(await askJson("PUT", `${url}/faults`, { errorRate: 1 }), {
    capacity: 90,
    errorRate: 1,
    latencyMs: 8,
  });
  assert.equal(await served(url, clock, "/orders/o1"), 500);
  assert.deepEqual(await askJson("PUT", `${url}/faults`, { errorRate: 0, capacity: 5.5, latencyMs: 0 }), {
    capacity: 5.5,
    errorRate: 0,
    latencyMs: 0,
  });
  assert.equal(await served(url, clock, "/orders/o1"), 200);
  const { faultsHistory } = await statsOf(url);
  assert.deepEqual(
    faultsHistory.map(({ errorRate }) => errorRate),
    [0, 1, 0],
  );
  assert.equal(await metric(url, "lab_backend_capacity_per_second"), 5.5);
});

test("A change of faults that is wrong changes nothing, and all that is wrong is said at once", async (t) => {
  const { url } = await backendWith(t, {});
  const body = { capacity: 0, errorRate: "all", latencyMs: -1, colour: "red" };
  const text = JSON.stringify(await askJson("PUT", `${url}/faults`, body));
  assert.match(text, /"status":400/);
  for (const name of ["capacity", "errorRate", "latencyMs", "colour"]) assert.match(text, new RegExp(name));
  for (const empty of [{}, [], undefined, 7]) {
    assert.match(JSON.stringify(await askJson("PUT", `${url}/faults`, empty)), /"status":400/, JSON.stringify(empty));
  }
  assert.equal((await statsOf(url)).faultsHistory.length, 1);
});

test("A body without end and one that is no JSON are refused", async (t) => {
  const { url } = await backendWith(t, {});
  const put = (body: string): Promise<{ status: number }> =>
    ask(`${url}/faults`, { method: "PUT", headers: { "content-type": "application/json" }, body });
  assert.equal((await put(`{"x":"${"x".repeat(20_000)}"}`)).status, 413);
  assert.equal((await put("{")).status, 400);
});

test("A call beyond the queue is shed with 503 and Retry-After in whole seconds", async (t) => {
  const { url } = await backendWith(t, {
    capacity: 1,
    capacityBurst: 1,
    queueLimit: 0,
    shedRetryAfterS: 1.5,
  });
  const first = ask(`${url}/orders/o1`).catch(() => undefined);
  await until(url, (stats) => stats.serving === 1);
  const { status, headers, text } = await ask(`${url}/orders/o2`);
  assert.deepEqual([status, headers.get("retry-after")], [503, "2"]);
  assert.match(text, /"outcome":"overloaded"/);
  assert.equal(await metric(url, "lab_backend_calls_total", { result: "shed" }), 1);
  t.after(() => first);
});

test("A call whose deadline has passed gets 504 and does no work", async (t) => {
  const { url, clock } = await backendWith(t, {});
  for (const remaining of ["0", "-5"]) {
    const init = { ...write("k"), headers: { "x-envoy-expected-rq-timeout-ms": remaining } };
    const { status, text } = await ask(`${url}/orders/o1`, init);
    assert.equal(status, 504);
    assert.match(text, /"outcome":"deadline"/);
  }
  clock.runUntilIdle();
  const { expired, effects, serving, ok } = await statsOf(url);
  assert.deepEqual([expired, effects, serving, ok], [2, 0, 0, 0]);
});

test("A caller who has gone leaves work behind that is counted as wasted", async (t) => {
  const left = promised();
  const log = heard("backend", "debug", (line) => {
    if (line["outcome"] === "caller left") left.keep();
  });
  const { url, clock } = await backendWith(t, {}, log);
  const abort = new AbortController();
  const answer = ask(`${url}/orders/o1`, { ...write("k"), signal: abort.signal });
  await until(url, (stats) => stats.inFlight === 1);
  abort.abort();
  await assert.rejects(answer);
  await left.promise;
  clock.runUntilIdle();
  const { wasted, effects, ok, inFlight } = await statsOf(url);
  assert.deepEqual([ok, effects, inFlight], [1, 1, 0]);
  assert.equal(wasted, 1);
  assert.equal(await metric(url, "lab_backend_wasted_calls_total"), 1);
});

test("A run begins at zero with the configured faults, and Prometheus counters go on", async (t) => {
  const { url, clock } = await backendWith(t, {});
  await served(url, clock, "/orders/o1");
  await askJson("PUT", `${url}/faults`, { errorRate: 1 });
  assert.deepEqual(await askJson("POST", `${url}/run`, { seed: 3 }), {
    service: "backend",
    kind: "backend",
    faults: { capacity: 90, errorRate: 0, latencyMs: 8 },
  });
  assert.deepEqual([(await statsOf(url)).arrivals, (await statsOf(url)).faultsHistory.length], [0, 1]);
  await served(url, clock, "/orders/o1");
  assert.equal(await metric(url, "lab_arrivals_total"), 2);
  assert.equal(await metric(url, "lab_backend_calls_total", { result: "ok" }), 2);
});

test("The same seed gives an order the same faults in every run", async (t) => {
  const { url, clock } = await backendWith(t, { errorRate: 0.5, capacity: 1000 });
  const run = async (seed: number): Promise<number[]> => {
    await askJson("POST", `${url}/run`, { seed });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i += 1) statuses.push(await served(url, clock, `/orders/o${i}`));
    return statuses;
  };
  const first = await run(11);
  assert.deepEqual(await run(11), first);
  assert.notDeepEqual(await run(12), first);
});

test("An id that no order can have is 400, an unknown path 404", async (t) => {
  const { url } = await backendWith(t, {});
  assert.equal((await ask(`${url}/orders/a.b`)).status, 400);
  assert.equal((await ask(`${url}/orders`)).status, 404);
  assert.equal((await statsOf(url)).arrivals, 0);
});
