import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceConfig, runAndRecord } from "./testdata/reference.ts";
import { descriptionsOf, statsOf } from "./stats.ts";

test("the tiers answer from the client's side down, and each passes on what the next one counts", () => {
  const { result } = runAndRecord(referenceConfig("budgeted", 1, 3));
  const [edge, api, backend] = statsOf(result);
  assert.ok(edge?.kind === "hop" && api?.kind === "hop" && backend?.kind === "backend");
  assert.deepEqual([edge.service, api.service, backend.service], ["edge", "api", "backend"]);
  assert.equal(edge.arrivals, 180);
  assert.equal(edge.attempts - edge.unsent, api.arrivals);
  assert.equal(api.attempts - api.unsent, backend.arrivals);
  assert.deepEqual([edge.inFlight, api.inFlight, backend.inFlight], [0, 0, 0]);
  assert.deepEqual(backend.faultsHistory, [{ atMs: 0, capacity: 90, errorRate: 0.4, latencyMs: 8 }]);
});

test("the stats survive JSON unchanged, also where nothing limits the budget", () => {
  const stats = statsOf(runAndRecord(referenceConfig("naive", 1, 1)).result);
  assert.deepEqual(JSON.parse(JSON.stringify(stats)), stats);
  assert.equal(stats[0]?.kind === "hop" && stats[0].budgetBalance, null);
});

test("a policy is described as it travels: no limit is null", () => {
  const [edge, , backend] = descriptionsOf(referenceConfig("naive", 1));
  assert.ok(edge?.kind === "hop");
  assert.equal(edge.policy.deadlineMs, null);
  assert.equal(edge.policy.attemptTimeoutMs, 700);
  assert.deepEqual(backend, {
    service: "backend",
    kind: "backend",
    faults: { capacity: 90, errorRate: 0.4, latencyMs: 8 },
  });
});
