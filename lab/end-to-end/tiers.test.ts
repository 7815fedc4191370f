/** Tiers that retry multiply: counted at the backend, in virtual time and over real HTTP. */
import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test, type TestContext } from "node:test";
import { createBackendApp } from "../../services/backend/app.ts";
import { createHopApp } from "../../services/hop/app.ts";
import { realClock } from "../../services/real-time/clock.ts";
import type { BackendStats } from "../../services/contract/stats.ts";
import { ask, askJson, heard, noting, serve } from "../../services/http/testdata/http.ts";
import { backoffWith, policyWith } from "../../services/policy/testdata/policies.ts";
import { runOf, type Settings } from "../runs/testdata/run-of.ts";
import { BACKEND } from "../worlds/virtual/testdata/reference.ts";
import { measured } from "../../loadgen/testdata/measured.ts";

const ALWAYS_FAILING: Settings = {
  ERROR_RATE: "1",
  CAPACITY: "100000",
  RATE: "2",
};

/** All attempts of all tiers fit: what is counted is attempts, not time. */
const unhurried = (tiers: string): Settings =>
  Object.fromEntries(tiers.split(",").map((tier) => [`${tier.toUpperCase()}_ATTEMPT_TIMEOUT_MS`, "off"]));

const TOWERS = [
  { tiers: "edge", attempts: 3, calls: 3 },
  { tiers: "edge,api", attempts: 3, calls: 9 },
  { tiers: "gateway,edge,api", attempts: 3, calls: 27 },
  { tiers: "gateway,edge,api,orders", attempts: 4, calls: 256 },
];

for (const { tiers, attempts, calls } of TOWERS) {
  test(`Tiers ${tiers} with ${attempts} attempts each make ${calls} calls out of one request to a dead backend`, () => {
    const settings = {
      ...ALWAYS_FAILING,
      ...unhurried(tiers),
      TIERS: tiers,
      MAX_ATTEMPTS: String(attempts),
    };
    const { amplification, backendCalls, clientRequests } = runOf(settings);
    assert.equal(amplification, calls);
    assert.equal(backendCalls, calls * clientRequests);
  });
}

// Case 7 of docs/cases.md.
test("An application that tries four times over a library that tries three times makes 12 calls; one owner makes 4", () => {
  const stacked = {
    ...ALWAYS_FAILING,
    ...unhurried("app,sdk"),
    TIERS: "app,sdk",
    APP_MAX_ATTEMPTS: "4",
    SDK_MAX_ATTEMPTS: "3",
  };
  assert.equal(runOf(stacked).amplification, 12);
  const { amplification, tiers } = runOf({ ...stacked, SDK_RETRY_OWNER: "0" });
  assert.equal(amplification, 4);
  assert.equal(tiers["sdk"]?.arrivals, tiers["app"]?.attempts);
  assert.equal(tiers["sdk"]?.attempts, tiers["sdk"]?.arrivals);
});

test("At 50 % errors three tiers of three attempts come to about two calls, not to the worst case", () => {
  const tiers = "gateway,edge,api";
  const halfBad = { ...ALWAYS_FAILING, ...unhurried(tiers), ERROR_RATE: "0.5", TIERS: tiers, RATE: "100" };
  const { amplification } = runOf(halfBad);
  assert.ok(measured(amplification) > 1.8 && measured(amplification) < 2.1, String(amplification));
});

/** Three tiers over HTTP on top of a backend that always fails; the headers that arrived at it. */
async function towerOverHttp(t: TestContext) {
  const shared = { seed: 1, clock: realClock, isStopping: () => false };
  const log = heard("tower", "fatal", () => {});
  const config = { ...BACKEND, capacity: 100_000, errorRate: 1, latencyMs: 0 };
  const seen: IncomingHttpHeaders[] = [];
  const backend = createBackendApp({ name: "backend", config, log, ...shared });
  t.after(backend.close);
  const backendUrl = await serve(t, noting(backend.app, seen));
  let top = backendUrl;
  for (const name of ["api", "edge", "gateway"]) {
    const policy = policyWith({ backoff: backoffWith({ kind: "none" }), attemptTimeoutMs: Infinity });
    const hop = createHopApp({ name, policy, upstreamUrl: top, upstreamConnections: 64, log, ...shared });
    t.after(hop.close);
    top = await serve(t, hop.app);
  }
  return { top, backendUrl, seen };
}

// Case 7 of docs/cases.md.
test("Over HTTP, too, three tiers of three attempts make 27 calls of one request", async (t) => {
  const { top, backendUrl, seen } = await towerOverHttp(t);
  for (const order of ["o1", "o2"]) {
    const { status } = await ask(`${top}/orders/${order}`);
    assert.equal(status, 500);
  }
  const { arrivals } = await askJson<BackendStats>("GET", `${backendUrl}/stats`);
  assert.equal(arrivals, 2 * 27);
  const attempts = seen.map((headers) => headers["x-envoy-attempt-count"]);
  for (const n of ["1", "2", "3"]) assert.equal(attempts.filter((attempt) => attempt === n).length, 2 * 9);
});
