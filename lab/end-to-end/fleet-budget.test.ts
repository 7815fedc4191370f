/**
 * Four instances of a hop over HTTP with a budget each, or with one in a real Redis: what they may spend together, and what
 * becomes of it when the store is killed, stands still, or takes its time.
 */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { createHopApp } from "../../services/hop/app.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { LeaseStore } from "../../services/hop/lease-store.ts";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import type { HopStats } from "../../services/contract/stats.ts";
import { ask, askJson, metric, serve, silent } from "../../services/http/testdata/http.ts";
import type { BudgetPolicy } from "../../services/policy/budget/budget.ts";
import { backoffWith, budgetWith, policyWith } from "../../services/policy/testdata/policies.ts";
import { until } from "../observe/testdata/prometheus.ts";
import type { RedisProcess } from "../worlds/process/budget-store.ts";
import { hasRedis, redisFor } from "../worlds/process/testdata/redis.ts";

/** So long that a busy machine does not look like a store that stands still. */
const PATIENT_MS = 30_000;
const RUN = { seed: 1, run: "run-1" };

interface Fleet {
  /** Sends one request, which will fail, to each instance. Resolves with the attempts that were made for them. */
  round(): Promise<number>;
  /** Retries of all instances since the run began. */
  retries(): Promise<number>;
  /** Retries that all instances hold ready, once no question is under way. */
  held(): Promise<number>;
  /** How often the store did not answer, over all instances. */
  unanswered(): Promise<number>;
}

async function fleetOf(
  t: TestContext,
  budget: BudgetPolicy,
  store?: RedisProcess,
  timeoutMs = PATIENT_MS,
): Promise<Fleet> {
  const upstreamUrl = await serve(t, (_req, res) => res.writeHead(500).end());
  const urls: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const { app, close } = createHopApp({
      name: "api",
      policy: policyWith({
        maxAttempts: 2,
        attemptTimeoutMs: Infinity,
        backoff: backoffWith({ kind: "none" }),
        budget,
      }),
      upstreamUrl,
      upstreamConnections: 8,
      seed: 1,
      store: store && new LeaseStore({ url: store.url, timeoutMs, clock: realClock }),
      clock: realClock,
      log: silent,
      isStopping: () => false,
    });
    t.after(close);
    urls.push(await serve(t, app));
  }
  for (const url of urls) await askJson("POST", `${url}/run`, RUN);
  const sum = async (of: (url: string) => Promise<number>): Promise<number> =>
    (await Promise.all(urls.map(of))).reduce((total, one) => total + one, 0);
  const held = (): Promise<number> =>
    sum(async (url) => (await askJson<HopStats>("GET", `${url}/stats`)).budgetBalance ?? NaN);
  return {
    async held() {
      let last = -1;
      return until("all answers have come", async () => {
        const [before, now] = [last, await held()];
        last = now;
        return now === before ? now : undefined;
      });
    },
    async round() {
      const answers = await Promise.all(urls.map((url) => ask(`${url}/orders/o1`)));
      for (const { status } of answers) assert.equal(status, 500, "every request is answered");
      return answers.reduce((total, { headers }) => total + Number(headers.get("x-lab-attempts")), 0);
    },
    retries: () =>
      sum(async (url) => {
        const { attempts, arrivals } = await askJson<HopStats>("GET", `${url}/stats`);
        return attempts - arrivals;
      }),
    unanswered: () => sum(async (url) => (await metric(url, METRICS.fleetAnswers.name, { answer: "none" })) ?? 0),
  };
}

const rounds = async (fleet: Fleet, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await fleet.round();
};

/** Sends rounds until `reached`, for at most as long as a busy machine may need. */
const sendUntil = (fleet: Fleet, what: string, reached: () => Promise<boolean>): Promise<unknown> =>
  until(what, async () => {
    await fleet.round();
    return (await reached()) ? true : undefined;
  });

const START = { ratio: 0, start: 10 };
const shared = (lease: number, floorPerSecond: number, more: Partial<BudgetPolicy> = {}): BudgetPolicy =>
  budgetWith({ ...START, ...more, fleet: { lease, floorPerSecond } });

const redisIsHere = hasRedis();
const withRedis = (title: string, run: (t: TestContext) => Promise<void>): void => {
  if (redisIsHere) test(title, run);
};

describe("Four instances", { concurrency: 1 }, () => {
  test("with a budget each, BUDGET_SCOPE=instance, spend its start level four times", async (t) => {
    const fleet = await fleetOf(t, budgetWith(START));
    await rounds(fleet, 30);
    assert.equal(await fleet.retries(), 40);
  });

  withRedis("with one budget, BUDGET_SCOPE=fleet, spend it once", async (t) => {
    const fleet = await fleetOf(t, shared(1, 0), await redisFor(t));
    await sendUntil(fleet, "ten retries", async () => (await fleet.retries()) >= 10);
    await rounds(fleet, 30);
    assert.equal(await fleet.retries(), 10);
  });

  withRedis("begin a run with a fresh budget", async (t) => {
    const store = await redisFor(t);
    const before = await fleetOf(t, shared(1, 0), store);
    await sendUntil(before, "ten retries", async () => (await before.retries()) >= 10);
    const key = "retry-storm-testbed:api:run-1:1";
    const lease = await new Promise((resolve) => {
      const reader = new LeaseStore({ url: store.url, timeoutMs: PATIENT_MS, clock: realClock });
      t.after(() => reader.close());
      const terms = { most: 10, start: 10, perSecond: 0 };
      reader.asker(key, terms)({ deposit: 0, want: 0, known: false }, resolve);
    });
    assert.deepEqual(lease, { granted: 0, left: 0 }, "the bucket of this run, under its own name");
  });
});

describe("When the store is killed in the midst of a run,", { concurrency: 1 }, () => {
  for (const [lease, least, most] of [
    [1, 0, 4],
    [30, 40, 120],
  ] as const) {
    withRedis(
      `each instance spends what it holds of a lease of ${lease} (BUDGET_LEASE), and then nothing`,
      async (t) => {
        const store = await redisFor(t);
        const fleet = await fleetOf(t, shared(lease, 0, { start: 1000, burst: 1000 }), store);
        await sendUntil(fleet, "retries", async () => (await fleet.retries()) >= 20);
        const held = await fleet.held();
        const before = await fleet.retries();
        process.kill(store.pid, "SIGKILL");
        await sendUntil(fleet, "no answer to all four", async () => (await fleet.unanswered()) >= 8);
        await rounds(fleet, 40);
        const spent = (await fleet.retries()) - before;
        assert.equal(spent, held);
        assert.ok(held >= least && held <= most, `${held} were held`);
        await rounds(fleet, 20);
        assert.equal((await fleet.retries()) - before, spent, "requests go on, retries do not");
      },
    );
  }

  withRedis("a floor (BUDGET_FLOOR_PER_S) is left to each instance", async (t) => {
    const store = await redisFor(t);
    const fleet = await fleetOf(t, shared(1, 1000), store);
    await sendUntil(fleet, "the end of the budget", async () => (await fleet.retries()) >= 10);
    process.kill(store.pid, "SIGKILL");
    await sendUntil(fleet, "retries on the floor", async () => (await fleet.retries()) >= 30);
  });
});

describe("When the store stands still in the midst of a run,", { concurrency: 1 }, () => {
  withRedis("requests are answered all the same, and retries come back with it", async (t) => {
    const store = await redisFor(t);
    const fleet = await fleetOf(t, shared(1, 0, { start: 1000, burst: 1000 }), store, 100);
    await sendUntil(fleet, "retries", async () => (await fleet.retries()) >= 20);
    process.kill(store.pid, "SIGSTOP");
    const silentBefore = await fleet.unanswered();
    await sendUntil(fleet, "no answer to all four", async () => (await fleet.unanswered()) >= silentBefore + 8);
    await rounds(fleet, 5);
    const spent = await fleet.retries();
    await rounds(fleet, 20);
    assert.equal(await fleet.retries(), spent);
    process.kill(store.pid, "SIGCONT");
    await sendUntil(fleet, "retries again", async () => (await fleet.retries()) >= spent + 10);
  });

  withRedis("a patient instance (BUDGET_STORE_TIMEOUT_MS) waits longer before it falls to its floor", async (t) => {
    const store = await redisFor(t);
    const budget = shared(1, 1000);
    const [hasty, patient] = [await fleetOf(t, budget, store, 50), await fleetOf(t, budget, store, PATIENT_MS)];
    process.kill(store.pid, "SIGSTOP");
    await sendUntil(hasty, "retries on the floor", async () => (await hasty.retries()) >= 30);
    await rounds(patient, 20);
    assert.ok((await patient.retries()) <= 10, "no more than the shared budget held");
    assert.equal(await patient.unanswered(), 0);
  });
});

test("A hop that is to share its budget, and has no store, says what it needs and does not begin", async (t) => {
  await assert.rejects(
    fleetOf(t, shared(1, 0)),
    /BUDGET_SCOPE=fleet needs a store for the budget: set BUDGET_STORE_URL before api starts\./,
  );
});
