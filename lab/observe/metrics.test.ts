/** Every metric moves in the run that should move it, and docs/metrics.md lists it. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadConfigOf } from "../../loadgen/core/config.ts";
import { runLoad } from "../../loadgen/run/run.ts";
import { measuringLoad } from "../../loadgen/output/load-metrics.ts";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import { createMetrics } from "../../services/telemetry/metrics.ts";
import { ask } from "../../services/http/testdata/http.ts";
import { readValues } from "../../services/settings/values.ts";
import { chainOf, order, type Chain } from "./testdata/chain.ts";
import { METRIC_CASES, type MetricKey } from "./testdata/metric-cases.ts";
import { until } from "./testdata/prometheus.ts";

/** The lines of each metric, with their values. */
async function readings({ hop, backend }: Chain): Promise<Map<MetricKey, string>> {
  const texts = await Promise.all([hop, backend].map(async (url) => (await ask(`${url}/metrics`)).text));
  return linesOf(texts.join("\n"));
}

function linesOf(text: string): Map<MetricKey, string> {
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  return new Map(
    Object.entries(METRICS).map(([key, { name }]) => {
      const own = new RegExp(`^${name}(_bucket|_sum|_count)?[{ ]`);
      return [key as MetricKey, lines.filter((line) => own.test(line)).join("\n")];
    }),
  );
}

const moved = new Set<MetricKey>();

/** Waits until each of `keys` reads differently from `before`, and notes that it moved. */
async function move(
  chain: Chain,
  before: ReadonlyMap<MetricKey, string>,
  keys: readonly MetricKey[],
  what = "",
): Promise<void> {
  for (const key of keys) {
    await until(`${METRICS[key].name} moves ${what}`, async () =>
      (await readings(chain)).get(key) === before.get(key) ? undefined : true,
    );
    moved.add(key);
  }
}

describe("A metric moves in the run that should move it", { concurrency: 1 }, () => {
  for (const { title, moves, act, ...setting } of METRIC_CASES) {
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
    await move(chain, before, ["unsent", "backendAbandoned"], "when the callers leave");
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
    await runLoad({
      config: loadConfigOf(values),
      environment: "",
      now: () => new Date(),
      stop: new AbortController().signal,
      progress: () => ({ show: () => {}, stop: () => {} }),
      watch,
    });
    const now = linesOf(await metrics.read());
    for (const key of Object.keys(METRICS) as MetricKey[]) {
      if (!key.startsWith("client") && key !== "runInfo") continue;
      assert.notEqual(now.get(key), before.get(key), METRICS[key].name);
      moved.add(key);
    }
    assert.match(now.get("runInfo") ?? "", /policy="naive",scenario="reference",world="process",seed="1".*\} 1$/);
  });

  after(() => {
    const still = (Object.keys(METRICS) as MetricKey[]).filter((key) => !moved.has(key));
    assert.deepEqual(still, [], "no run moves these metrics");
  });
});

test("docs/metrics.md lists every metric with its meaning, and no other", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/metrics.md", import.meta.url)), "utf8");
  const rows = new Map(
    [...page.matchAll(/^\| `(lab_\w+)` \| ([^|]*) \|/gm)].map(([, name = "", help = ""]) => [name, help.trim()]),
  );
  assert.deepEqual(
    Object.fromEntries(rows),
    Object.fromEntries(Object.values(METRICS).map(({ name, help }) => [name, help])),
  );
});
