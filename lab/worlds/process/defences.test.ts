/** Defences and tiers over real HTTP, between the real programs: what is counted, never how long it took. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { wholeRun } from "./testdata/lab-process.ts";

/** Nothing runs out of time, and nothing is tried twice unless the test says so. */
const UNHURRIED = {
  POLICY: "naive",
  DURATION_S: "3",
  WARMUP_S: "1",
  SEED: "1",
  CAPACITY: "10000",
  ERROR_RATE: "0",
  MAX_ATTEMPTS: "1",
  ATTEMPT_TIMEOUT_MS: "off",
  EDGE_ATTEMPT_TIMEOUT_MS: "off",
};

const runOf = (t: TestContext, settings: Record<string, string>) => wholeRun(t, { ...UNHURRIED, ...settings });

describe("In the process world", { concurrency: 1 }, () => {
  test("three tiers of three attempts make exactly 27 calls of each request to a dead backend", async (t) => {
    const { summary } = await runOf(t, {
      TIERS: "gateway,edge,api",
      MAX_ATTEMPTS: "3",
      ERROR_RATE: "1",
      RATE: "2",
    });
    const { amplification, backendCalls, clientRequests, tiers } = summary;
    assert.equal(amplification, 27);
    assert.equal(clientRequests, 6);
    assert.equal(backendCalls, 27 * 6);
    assert.deepEqual(
      Object.entries(tiers).map(([name, { arrivals, attempts }]) => [name, arrivals, attempts]),
      [
        ["gateway", 6, 18],
        ["edge", 18, 54],
        ["api", 54, 162],
        ["backend", 162, 0],
      ],
    );
  });

  test("a second copy goes to the other replica, and the summary says how many were sent and won", async (t) => {
    const { summary, text } = await runOf(t, {
      RATE: "5",
      REPLICAS: "2",
      SLOW_REPLICA: "1",
      STRAGGLER_MS: "2000",
      HEDGE: "delay",
      HEDGE_DELAY_MS: "20",
      HEDGE_RATIO: "1",
    });
    const { outcomes, clientRequests, tiers } = summary;
    const { api, edge } = tiers;
    assert.ok(api?.hedged !== undefined && edge !== undefined);
    assert.equal(edge.hedged, undefined, "only who calls the backend has replicas to choose from");
    const { sent, won } = api.hedged;
    assert.ok(won > 0 && won <= sent, JSON.stringify(api.hedged));
    assert.equal(api.attempts, api.arrivals + sent);
    assert.equal(outcomes.ok, clientRequests);
    assert.match(text, new RegExp(`api: hedged ${sent} requests, ${won} won by the copy`));
  });

  test("what the api does not take on is shed without a call, and counted", async (t) => {
    const { summary, text } = await runOf(t, {
      RATE: "5",
      LATENCY_MS: "500",
      API_ADMISSION: "fixed",
      API_ADMISSION_LIMIT: "1",
    });
    const { outcomes, clientRequests, backendCalls, tiers } = summary;
    const shed = tiers["api"]?.stopReasons.shed ?? 0;
    assert.ok(shed > 0 && shed < clientRequests, String(shed));
    assert.equal(backendCalls + shed, clientRequests);
    assert.equal(outcomes.overloaded, shed);
    assert.match(text, new RegExp(`api: ${shed} of ${clientRequests} requests shed before an attempt`));
  });
});
