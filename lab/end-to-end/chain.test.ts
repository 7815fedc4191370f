/** The whole chain, edge → api → backend, over real HTTP in one process. */
import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import type { BackendStats, HopStats } from "../../services/contract/stats.ts";
import { ask, askJson, promised, type Line } from "../../services/http/testdata/http.ts";
import { chainOf } from "./testdata/chain.ts";

const remaining = (headers: IncomingHttpHeaders | undefined): number =>
  Number(headers?.["x-envoy-expected-rq-timeout-ms"]);

// Case 6 of docs/cases.md.
test("A deadline falls strictly at every hop, and reaches hops that set none of their own", async (t) => {
  const { edge, seen } = await chainOf(t, {});
  const { status } = await ask(`${edge}/orders/o1`, {
    headers: { "x-envoy-expected-rq-timeout-ms": "5000" },
  });
  assert.equal(status, 200);
  const [atEdge, atApi, atBackend] = [seen.edge, seen.api, seen.backend].map((all) => remaining(all[0]));
  assert.equal(atEdge, 5000);
  assert.ok(atApi !== undefined && atApi < 5000 && atApi > 0, String(atApi));
  assert.ok(atBackend !== undefined && atBackend < atApi && atBackend > 0, String(atBackend));
});

test("Where nobody sets a deadline none is sent", async (t) => {
  const { edge, seen } = await chainOf(t, { policy: { attemptTimeoutMs: 4000 } });
  await ask(`${edge}/orders/o1`);
  assert.equal(seen.backend.length, 1);
  assert.equal(seen.backend[0]?.["x-envoy-expected-rq-timeout-ms"], undefined);
});

// Case 6 of docs/cases.md.
test("A request that arrives expired is answered 504 and sets nothing off below", async (t) => {
  const { edge, seen } = await chainOf(t, {});
  for (const expired of ["0", "-100"]) {
    const answer = await ask(`${edge}/orders/o1`, { headers: { "x-envoy-expected-rq-timeout-ms": expired } });
    assert.deepEqual([answer.status, answer.headers.get("x-lab-attempts")], [504, "0"]);
    assert.match(answer.text, /"outcome":"deadline","stop":"deadline_too_near"/);
  }
  assert.deepEqual([seen.api.length, seen.backend.length], [0, 0]);
  const { arrivals, attempts, outcomes } = await askJson<HopStats>("GET", `${edge}/stats`);
  assert.deepEqual([arrivals, attempts, outcomes.deadline], [2, 0, 2]);
});

// Case 16 of docs/cases.md.
test("A client that leaves is felt by the edge, then by the api, then by the backend, once each", async (t) => {
  const left: { service: string; atMs: number }[] = [];
  const atBackend = promised();
  const setting = {
    backend: { latencyMs: 600_000 },
    onLine: ({ service, msg, outcome }: Line): void => {
      if (outcome !== "caller left" && !(msg === "call failed" && outcome === "cancelled")) return;
      left.push({ service, atMs: performance.now() });
      if (service === "backend") atBackend.keep();
    },
  };
  const { edge, api, backend } = await chainOf(t, setting);
  const abort = new AbortController();
  const answer = ask(`${edge}/orders/o1`, { signal: abort.signal });
  let serving = 0;
  while (serving === 0) ({ serving } = await askJson<BackendStats>("GET", `${backend}/stats`));
  const abortedAt = performance.now();
  abort.abort();
  await assert.rejects(answer);
  await atBackend.promise;
  assert.deepEqual(
    left.map(({ service }) => service),
    ["edge", "api", "backend"],
  );
  t.diagnostic(
    `ms after the abort: ${left.map(({ service, atMs }) => `${service} ${(atMs - abortedAt).toFixed(1)}`).join(", ")}`,
  );
  for (const url of [edge, api]) {
    const { inFlight, outcomes, attemptOutcomes } = await askJson<HopStats>("GET", `${url}/stats`);
    assert.deepEqual([inFlight, outcomes.cancelled, attemptOutcomes.cancelled], [0, 1, 1]);
  }
});

test("Counts reconcile from tier to tier under errors and retries", async (t) => {
  const { edge, api, backend } = await chainOf(t, { backend: { errorRate: 0.5 } });
  const orders = Array.from({ length: 60 }, (_, i) => ask(`${edge}/orders/o${i}`));
  const answers = await Promise.all(orders);
  const top = await askJson<HopStats>("GET", `${edge}/stats`);
  const middle = await askJson<HopStats>("GET", `${api}/stats`);
  const bottom = await askJson<BackendStats>("GET", `${backend}/stats`);
  assert.equal(top.arrivals, 60);
  assert.equal(top.attempts - top.unsent, middle.arrivals);
  assert.equal(middle.attempts - middle.unsent, bottom.arrivals);
  assert.equal(top.outcomes.ok, answers.filter(({ status }) => status === 200).length);
  assert.ok(bottom.arrivals > 90, `${bottom.arrivals} calls: half of them fail, so there must be retries`);
  const made = answers.reduce((sum, { headers }) => sum + Number(headers.get("x-lab-attempts")), 0);
  assert.equal(made, top.attempts);
});

// Case 18 of docs/cases.md.
test("One key goes with all attempts at one write, and its effect is counted once", async (t) => {
  const { edge, backend, seen } = await chainOf(t, { backend: { errorRate: 0.5 } });
  const writes = Array.from({ length: 20 }, (_, i) =>
    ask(`${edge}/orders/o${i}`, { method: "POST", headers: { "idempotency-key": `k${i}` } }),
  );
  const good = (await Promise.all(writes)).filter(({ status }) => status === 200).length;
  const { effects, duplicateEffects } = await askJson<BackendStats>("GET", `${backend}/stats`);
  assert.deepEqual([effects, duplicateEffects], [good, 0]);
  assert.ok(seen.backend.length > 20);
  assert.equal(new Set(seen.backend.map((headers) => headers["idempotency-key"])).size, 20);
});

test("One trace runs through all tiers, and every attempt is a span of its own", async (t) => {
  const { edge, seen } = await chainOf(t, { backend: { errorRate: 1 } });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  await ask(`${edge}/orders/o1`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
  const parents = [...seen.edge, ...seen.api, ...seen.backend].map(({ traceparent }) => String(traceparent));
  assert.equal(parents.length, 1 + 3 + 9);
  assert.ok(parents.every((parent) => parent.split("-")[1] === traceId));
  assert.equal(new Set(parents).size, parents.length);
});
