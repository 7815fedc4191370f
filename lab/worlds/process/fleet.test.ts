/** Several apis as a user runs them, with a budget that they share: the real programs and a real Redis. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test, type TestContext } from "node:test";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { eventually, isAlive, startLab, wholeRun, type Lab } from "./testdata/lab-process.ts";
import { hasRedis, redisFor } from "./testdata/redis.ts";

const redisIsHere = hasRedis();
const withRedis = (title: string, run: (t: TestContext) => Promise<void>): void => {
  if (redisIsHere) test(title, run);
};

/** Half of the calls fail, and nothing but the budget refuses a retry. */
const SCENE = {
  POLICY: "budgeted",
  DURATION_S: "3",
  RATE: "40",
  CAPACITY: "10000",
  ERROR_RATE: "0.5",
  EDGE_MAX_ATTEMPTS: "1",
  API_INSTANCES: "3",
  API_BUDGET_RATIO: "0",
  API_BUDGET_START: "10",
  ATTEMPT_TIMEOUT_MS: "off",
  EDGE_ATTEMPT_TIMEOUT_MS: "off",
  DEADLINE_MS: "off",
};
const SHARED = { ...SCENE, API_BUDGET_SCOPE: "fleet", BUDGET_STORE_TIMEOUT_MS: "30000" };

/** Retries of all apis. */
function retriesOf(summary: RunSummary): number {
  const { api, edge } = summary.tiers;
  assert.ok(api && edge);
  assert.equal(api.arrivals, edge.attempts);
  const retries = api.attempts - api.arrivals;
  assert.ok(api.bound !== null && retries <= (api.bound - 1) * api.arrivals + 1e-6);
  return retries;
}

function storesOf(lab: Lab): number[] {
  const shells = new Set(lab.children().map(({ pid }) => pid));
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent] = /^ *(\d+) +(\d+) redis-server/.exec(line) ?? [];
    return shells.has(Number(parent)) ? [Number(pid)] : [];
  });
}

describe("Several instances in the process world", { concurrency: 1 }, () => {
  test("three apis with a budget each spend three start levels, and the tiers reconcile", async (t) => {
    const { summary } = await wholeRun(t, SCENE, async (lab) => {
      await lab.child("lab/worlds/load/main");
      assert.equal(lab.children().filter(({ args }) => args.includes("services/api/main")).length, 3);
    });
    assert.equal(retriesOf(summary), 30);
  });

  withRedis("with one budget they spend one, in a Redis of the run's own, which ends with it", async (t) => {
    let stores: number[] = [];
    const { summary } = await wholeRun(t, SHARED, async (lab) => {
      await lab.child("lab/worlds/load/main");
      stores = storesOf(lab);
    });
    assert.equal(stores.length, 1);
    const retries = retriesOf(summary);
    assert.ok(retries > 0 && retries <= 10, `${retries} retries`);
    assert.deepEqual(stores.filter(isAlive), []);
  });

  withRedis("with BUDGET_STORE_URL they share it in the Redis that is named, and start none", async (t) => {
    const store = await redisFor(t);
    const keys = (): string[] => {
      const { stdout } = spawnSync("redis-cli", ["-u", store.url, "--scan"], { encoding: "utf8" });
      return stdout.split("\n").filter((key) => key.startsWith("retry-storm-testbed:api:"));
    };
    let before = 0;
    await wholeRun(t, { ...SHARED, BUDGET_STORE_URL: store.url }, async (lab) => {
      before = keys().length;
      await lab.child("lab/worlds/load/main");
      assert.deepEqual(storesOf(lab), []);
    });
    assert.equal(keys().length - before, 2, "one for the warm-up, one for the run");
  });

  withRedis("and where the lab is killed, its store ends too", async (t) => {
    const lab = startLab(t, ["run"], { ...SHARED, DURATION_S: "60" });
    await lab.child("lab/worlds/load/main");
    const stores = storesOf(lab);
    assert.equal(stores.length, 1);
    lab.process.kill("SIGKILL");
    await eventually("the end of the store", () => (stores.some(isAlive) ? undefined : true));
  });
});
