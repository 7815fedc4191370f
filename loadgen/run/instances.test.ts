/** A tier of several instances, over HTTP: asked as one, and its counters are their sum. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { realClock } from "../../services/real-time/clock.ts";
import { serve } from "../../services/http/testdata/http.ts";
import type { HopStats, ServiceStats } from "../../services/contract/stats.ts";
import { sumOfInstances } from "../core/fleet-stats.ts";
import { tiersOfChain } from "./instances.ts";
import { backend, hop } from "../testdata/facts.ts";
import { TierError } from "./tiers.ts";

const statsOf = (changes: Partial<HopStats>): HopStats => hop("api", changes).last as HopStats;

interface Asked {
  readonly path: string;
  readonly body: string;
}

/** An instance that answers its counters, and notes what it was asked. */
async function instanceOf(t: TestContext, stats: ServiceStats, asked: Asked[] = [], health = 200): Promise<string> {
  const answer: RequestListener = (req, res) => {
    let body = "";
    req.on("data", (chunk) => (body += String(chunk)));
    req.on("end", () => {
      asked.push({ path: req.url ?? "", body });
      res.writeHead(req.url === "/healthz" ? health : 200, { "content-type": "application/json" });
      res.end(JSON.stringify(req.url === "/run" ? hop("api", {}).description : stats));
    });
  };
  return serve(t, answer);
}

function apiOf(urls: readonly string[]) {
  const chain = [
    { name: "edge", url: "http://127.0.0.1:1" },
    ...urls.map((url) => ({ name: "api", url })),
    { name: "backend", url: "http://127.0.0.1:2" },
  ];
  const tiers = tiersOfChain(chain, realClock);
  assert.deepEqual(
    tiers.map(({ name }) => name),
    ["edge", "api", "backend"],
  );
  const api = tiers[1];
  assert.ok(api !== undefined);
  return api;
}

test("The counters of all instances are added up, so that the tier reconciles with the one above and the one below", async (t) => {
  const urls = [
    await instanceOf(t, statsOf({ arrivals: 10, attempts: 15, unsent: 1, inFlight: 2, budgetBalance: 0.5 })),
    await instanceOf(t, statsOf({ arrivals: 20, attempts: 22, unsent: 0, inFlight: 1, budgetBalance: 2 })),
  ];
  const api = apiOf(urls);
  const stats = (await api.stats()) as HopStats;
  assert.deepEqual(
    [stats.service, stats.arrivals, stats.attempts, stats.unsent, stats.inFlight, stats.budgetBalance],
    ["api", 30, 37, 1, 3, 2.5],
  );
});

test("Outcomes, reasons and second copies are added up by name; CPU is the mean share of a core, lag that of the worst", () => {
  const base = statsOf({});
  const one = { ...base, cpuMs: 100, uptimeMs: 1000, loopLagP99Ms: 3, outcomes: { ...base.outcomes, ok: 7 } };
  const other = {
    ...base,
    cpuMs: 300,
    uptimeMs: 1000,
    loopLagP99Ms: 9,
    outcomes: { ...base.outcomes, ok: 5, failed: 1 },
  };
  const sum = sumOfInstances([one, other]);
  assert.deepEqual([sum.outcomes.ok, sum.outcomes.failed], [12, 1]);
  assert.equal(sum.cpuMs / sum.uptimeMs, 0.2);
  assert.equal(sum.loopLagP99Ms, 9);
  assert.deepEqual(sum.hedges, { sent: 0, won: 0, suppressed: 0, denied: 0 });
  assert.equal(sum.budgetBalance, null, "nothing limits it where one has no limit");
});

test("A run begins at every instance, under one name", async (t) => {
  const asked: Asked[] = [];
  const urls = [await instanceOf(t, statsOf({}), asked), await instanceOf(t, statsOf({}), asked)];
  const { service } = await apiOf(urls).beginRun(7, "run-1");
  assert.equal(service, "api");
  const begun = { path: "/run", body: JSON.stringify({ seed: 7, run: "run-1" }) };
  assert.deepEqual(asked, [begun, begun]);
});

test("It is ready when all instances are, and says which one is not", async (t) => {
  const well = await instanceOf(t, statsOf({}));
  const ill = await instanceOf(t, statsOf({}), [], 503);
  assert.equal(await apiOf([well, well]).readiness(), undefined);
  assert.equal(await apiOf([well, ill]).readiness(), `its instance ${ill}: it answers 503`);
});

test("A backend cannot be one instance among several", async (t) => {
  const wrong = { ...backend({}).last, service: "api" };
  const urls = [await instanceOf(t, wrong), await instanceOf(t, wrong)];
  await assert.rejects(
    apiOf(urls).stats(),
    (error) => error instanceof TierError && /only a hop has several instances: check CHAIN/.test(error.message),
  );
});

test("A policy reaches every instance", async (t) => {
  const asked: Asked[] = [];
  const urls = [await instanceOf(t, statsOf({}), asked), await instanceOf(t, statsOf({}), asked)];
  await apiOf(urls).changePolicy({ POLICY: "owner" });
  const put = { path: "/policy", body: '{"POLICY":"owner"}' };
  assert.deepEqual(asked, [put, put]);
});
