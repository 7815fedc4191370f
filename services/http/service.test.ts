/** The services as processes: what their parent, their shell and their port do to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BackendStats } from "../contract/stats.ts";
import { ask, askJson, serve } from "./testdata/http.ts";
import { start, urlOf } from "./testdata/service-process.ts";

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} lets what is in flight finish, and the process ends with 0`, async (t) => {
    const child = start(t, "backend", { ERROR_RATE: "0", LATENCY_MS: "1500" });
    const url = await urlOf(child);
    const answer = ask(`${url}/orders/o1`);
    let inFlight = 0;
    while (inFlight === 0) ({ inFlight } = await askJson<BackendStats>("GET", `${url}/stats`));
    child.kill(signal);
    child.kill(signal); // A shell and a parent may both pass the same Ctrl-C on.
    assert.equal((await answer).status, 200);
    const { exitCode, signal: killedBy } = await child;
    assert.deepEqual([exitCode, killedBy], [0, undefined]);
  });
}

test("A hop that stops while it holds connections to its upstream ends with 0", async (t) => {
  const upstream = await serve(t, (_req, res) => res.end("{}"));
  const child = start(t, "edge", { UPSTREAM_URL: upstream });
  const url = await urlOf(child);
  assert.equal((await ask(`${url}/orders/o1`)).status, 200);
  child.kill("SIGTERM");
  assert.equal((await child).exitCode, 0);
});

test("A service whose parent has gone ends by itself", async (t) => {
  const child = start(t, "backend", {});
  await urlOf(child);
  child.disconnect?.();
  assert.equal((await child).exitCode, 0);
});

test("A taken port is one clear message and exit 1", async (t) => {
  const url = await serve(t, (_req, res) => res.end());
  const { port } = new URL(url);
  const { exitCode, stderr } = await start(t, "backend", { PORT: port });
  assert.equal(exitCode, 1);
  assert.match(stderr, new RegExp(`^backend: PORT=${port} is taken on 127\\.0\\.0\\.1: .*choose another PORT.*$`));
});

test("Settings that are wrong are all named, nothing is started, and the exit is 2", async (t) => {
  const { exitCode, stderr, stdout } = await start(t, "backend", { CAPACITY: "much", ERROR_RATE: "2" });
  assert.equal(exitCode, 2);
  assert.match(stderr, /CAPACITY.*much/);
  assert.match(stderr, /ERROR_RATE.*2/);
  assert.doesNotMatch(stderr + stdout, /\n\s+at /);
});

test("A hop without an upstream names the setting and exits 2", async (t) => {
  for (const UPSTREAM_URL of ["", "ftp://127.0.0.1"]) {
    const { exitCode, stderr } = await start(t, "edge", UPSTREAM_URL === "" ? {} : { UPSTREAM_URL });
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr, /UPSTREAM_URL/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test("A hop takes any tier's name from its first argument", async (t) => {
  const upstream = await serve(t, (_req, res) => res.end("{}"));
  const child = start(t, "hop", { UPSTREAM_URL: upstream }, ["gateway"]);
  const { service } = await askJson<{ service: string }>("GET", `${await urlOf(child)}/stats`);
  assert.equal(service, "gateway");
});

test("and from TIER alone", async (t) => {
  const upstream = await serve(t, (_req, res) => res.end("{}"));
  const child = start(t, "hop", { UPSTREAM_URL: upstream, TIER: "gateway" });
  const { service } = await askJson<{ service: string }>("GET", `${await urlOf(child)}/stats`);
  assert.equal(service, "gateway");
});

test("A hop without a name, or with one that no setting could carry, says so and exits 2", async (t) => {
  for (const words of [[], ["Front-End"]]) {
    const { exitCode, stderr } = await start(t, "hop", {}, words);
    assert.equal(exitCode, 2);
    assert.match(stderr, /the tier's name must be/);
  }
});
