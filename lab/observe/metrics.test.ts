/** Every metric moves in the run that should move it, and docs/metrics.md lists it. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { loadConfigOf } from "../../loadgen/config.ts";
import { makeRun } from "../../loadgen/run.ts";
import { createBackendApp } from "../../services/backend/app.ts";
import type { BackendConfig } from "../../services/backend/model.ts";
import { createHopApp } from "../../services/hop/app.ts";
import { realClock } from "../../services/platform/clock.ts";
import { measuringLoad } from "../../services/platform/load-metrics.ts";
import { METRICS } from "../../services/platform/metric-names.ts";
import { createMetrics } from "../../services/platform/metrics.ts";
import { ask, askJson, serve, silent } from "../../services/platform/testdata/http.ts";
import { readValues } from "../../services/platform/values.ts";
import type { RetryPolicy } from "../../services/policy/policy.ts";
import { backoffWith, budgetWith, policyWith } from "../../services/policy/testdata/policies.ts";
import { until } from "./testdata/prometheus.ts";

type Key = keyof typeof METRICS;

interface Setting {
  readonly policy?: Partial<RetryPolicy>;
  readonly backend?: Partial<BackendConfig>;
  readonly connections?: number;
}

interface Chain {
  readonly hop: string;
  readonly backend: string;
}

const shared = { seed: 1, clock: realClock, log: silent, isStopping: () => false };

async function chainOf(t: TestContext, { policy, backend, connections = 64 }: Setting): Promise<Chain> {
  const config: BackendConfig = {
    capacity: 10_000,
    errorRate: 0,
    latencyMs: 0,
    queueLimit: Infinity,
    shedRetryAfterS: 1,
    dropExpired: false,
    leaveOnDisconnect: false,
    timeline: [],
    ...backend,
  };
  const last = createBackendApp({ name: "backend", config, ...shared });
  t.after(last.close);
  const backendUrl = await serve(t, last.app);
  const { app, close } = createHopApp({
    name: "edge",
    policy: policyWith({ backoff: backoffWith({ kind: "none" }), attemptTimeoutMs: Infinity, ...policy }),
    upstreamUrl: backendUrl,
    upstreamConnections: connections,
    ...shared,
  });
  t.after(close);
  return { hop: await serve(t, app), backend: backendUrl };
}

/** The lines of each metric, with their values. */
async function readings({ hop, backend }: Chain): Promise<Map<Key, string>> {
  const texts = await Promise.all([hop, backend].map(async (url) => (await ask(`${url}/metrics`)).text));
  return linesOf(texts.join("\n"));
}

function linesOf(text: string): Map<Key, string> {
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  return new Map(
    Object.entries(METRICS).map(([key, { name }]) => {
      const own = new RegExp(`^${name}(_bucket|_sum|_count)?[{ ]`);
      return [key as Key, lines.filter((line) => own.test(line)).join("\n")];
    }),
  );
}

const moved = new Set<Key>();
const order = (chain: Chain, id: string, init?: RequestInit) => ask(`${chain.hop}/orders/${id}`, init);

/** Waits until each of `keys` reads differently from `before`, and notes that it moved. */
async function move(
  chain: Chain,
  before: ReadonlyMap<Key, string>,
  keys: readonly Key[],
  what = "",
): Promise<void> {
  for (const key of keys) {
    await until(`${METRICS[key].name} moves ${what}`, async () =>
      (await readings(chain)).get(key) === before.get(key) ? undefined : true,
    );
    moved.add(key);
  }
}

interface Case extends Setting {
  readonly title: string;
  readonly moves: readonly Key[];
  readonly act: (chain: Chain) => Promise<unknown>;
}

const CASES: readonly Case[] = [
  {
    title: "A read that succeeds",
    backend: { capacity: 0.01, capacityBurst: 5 },
    moves: [
      "arrivals",
      "requests",
      "requestDuration",
      "attempts",
      "attemptDuration",
      "stops",
      "backendCalls",
      "backendTokens",
    ],
    act: (chain) => order(chain, "o1"),
  },
  {
    title: "A read that fails and is tried again, as far as the budget allows",
    backend: { errorRate: 1 },
    policy: { budget: budgetWith({ ratio: 0.1, start: 1 }) },
    moves: ["retries", "budgetBalance", "budgetDenials"],
    act: (chain) => order(chain, "o1"),
  },
  {
    title: "A request with a deadline",
    moves: ["deadlineRemaining"],
    act: (chain) => order(chain, "o1", { headers: { "x-envoy-expected-rq-timeout-ms": "5000" } }),
  },
  {
    title: "A failure that opens the breaker",
    backend: { errorRate: 1 },
    policy: { breaker: { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 60_000, probes: 1 } },
    moves: ["breakerState"],
    act: (chain) => order(chain, "o1"),
  },
  {
    title: "A read with a second copy",
    backend: { replicas: 2 },
    policy: { replicas: 2, hedge: { trigger: { kind: "tied" }, ratio: 1 } },
    moves: ["hedges"],
    act: (chain) => order(chain, "o1"),
  },
  {
    title: "Two writes with one key, where answers get lost",
    backend: { responseLoss: 1 },
    policy: { maxAttempts: 1 },
    moves: ["backendEffects", "backendDuplicates", "backendLost"],
    act: async (chain) => {
      for (let n = 0; n < 2; n += 1) {
        await order(chain, "o1", { method: "POST", headers: { "idempotency-key": "k1" } });
      }
    },
  },
  {
    title: "Other faults",
    moves: ["backendCapacity", "backendErrorRate", "backendLatency"],
    act: ({ backend }) => askJson("PUT", `${backend}/faults`, { capacity: 5, errorRate: 0.5, latencyMs: 7 }),
  },
  {
    title: "A caller who leaves before the backend is done",
    backend: { latencyMs: 200 },
    policy: { maxAttempts: 1, attemptTimeoutMs: 50 },
    moves: ["backendWasted"],
    act: (chain) => order(chain, "o1"),
  },
];

describe("A metric moves in the run that should move it", { concurrency: 1 }, () => {
  for (const { title, moves, act, ...setting } of CASES) {
    test(`${title}: ${moves.map((key) => METRICS[key].name).join(", ")}`, async (t) => {
      const chain = await chainOf(t, setting);
      const before = await readings(chain);
      await act(chain);
      await move(chain, before, moves);
    });
  }

  test("Calls under way, calls that wait for a token, and attempts that wait for a connection", async (t) => {
    const chain = await chainOf(t, {
      backend: { capacity: 0.01, capacityBurst: 1, latencyMs: 600_000 },
      connections: 2,
    });
    const before = await readings(chain);
    const leave = new AbortController();
    const held = ["o1", "o2", "o3"].map((id) => order(chain, id, { signal: leave.signal }).catch(() => {}));
    await move(chain, before, ["inFlight", "backendServing", "backendQueue", "upstreamWaiting"]);
    leave.abort();
    await Promise.all(held);
    await move(chain, before, ["unsent"], "when the callers leave");
  });

  test("Requests that wait to be taken on", async (t) => {
    const admission = { limit: 1, queue: 1, order: "fifo", codel: false, retryAfterMs: 1000 } as const;
    const chain = await chainOf(t, {
      backend: { latencyMs: 600_000 },
      policy: { attemptTimeoutMs: Infinity, admission: { kind: "fixed", ...admission } },
    });
    const before = await readings(chain);
    const leave = new AbortController();
    const held = ["o1", "o2"].map((id) => order(chain, id, { signal: leave.signal }).catch(() => {}));
    await move(chain, before, ["admissionWaiting"]);
    leave.abort();
    await Promise.all(held);
  });

  test("A client with one connection and little patience: all metrics of the generator", async (t) => {
    const chain = await chainOf(t, { backend: { latencyMs: 400 } });
    const reports = mkdtempSync(join(tmpdir(), "metrics-"));
    t.after(() => rmSync(reports, { recursive: true }));
    const metrics = createMetrics("load");
    const watch = measuringLoad(metrics);
    const before = linesOf(await metrics.read());
    watch.runs({ policy: "naive", scenario: "reference", world: "process", seed: "1" });
    const values = readValues({
      // Faster than a connection that its caller gave up can be replaced: some never get one.
      RATE: "1000",
      DURATION_S: "1",
      WARMUP_S: "0",
      CLIENT_CONNECTIONS: "1",
      CLIENT_TIMEOUT_MS: "150",
      REPORTS_DIR: reports,
      CHAIN: `edge=${chain.hop},backend=${chain.backend}`,
    });
    await makeRun({
      config: loadConfigOf(values),
      environment: "",
      now: () => new Date(),
      stop: new AbortController().signal,
      progress: () => ({ show: () => {}, stop: () => {} }),
      watch,
    });
    const now = linesOf(await metrics.read());
    for (const key of Object.keys(METRICS) as Key[]) {
      if (!key.startsWith("client") && key !== "runInfo") continue;
      assert.notEqual(now.get(key), before.get(key), METRICS[key].name);
      moved.add(key);
    }
    assert.match(
      now.get("runInfo") ?? "",
      /policy="naive",scenario="reference",world="process",seed="1".*\} 1$/,
    );
  });

  after(() => {
    const still = (Object.keys(METRICS) as Key[]).filter((key) => !moved.has(key));
    assert.deepEqual(still, [], "no run moves these metrics");
  });
});

test("docs/metrics.md lists every metric with its meaning, and no other", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/metrics.md", import.meta.url)), "utf8");
  const rows = new Map(
    [...page.matchAll(/^\| `(lab_\w+)` \| ([^|]*) \|/gm)].map(([, name = "", help = ""]) => [
      name,
      help.trim(),
    ]),
  );
  assert.deepEqual(
    Object.fromEntries(rows),
    Object.fromEntries(Object.values(METRICS).map(({ name, help }) => [name, help])),
  );
});
