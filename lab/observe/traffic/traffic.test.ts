/** The load of the dashboards against a real chain in this process, switched while it runs. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBackendApp } from "../../../services/backend/app.ts";
import { backendConfigOf } from "../../../services/backend/config.ts";
import { createHopApp } from "../../../services/hop/app.ts";
import { realClock } from "../../../services/real-time/clock.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { ask, askJson, metric, serve, silent } from "../../../services/http/testdata/http.ts";
import { readValues } from "../../../services/settings/values.ts";
import { until } from "../testdata/prometheus.ts";
import { startTraffic } from "./traffic.ts";

const SETTINGS = { TIERS: "edge", RATE: "50", CAPACITY: "20", ERROR_RATE: "0.4", POLICY: "naive" };
const BUDGETED = { ...SETTINGS, POLICY: "budgeted", BUDGET: "token-bucket", CAPACITY: "40" };

interface Running {
  readonly edge: string;
  readonly backend: string;
  readonly traffic: string;
}

async function running(t: TestContext): Promise<Running> {
  const values = readValues(SETTINGS);
  const shared = { seed: 1, clock: realClock, log: silent, isStopping: () => false };
  const last = createBackendApp({ name: "backend", config: backendConfigOf(values), ...shared });
  t.after(last.close);
  const backend = await serve(t, last.app);
  const { app, close } = createHopApp({
    name: "edge",
    policy: retryPolicyOf(values, "edge"),
    upstreamUrl: backend,
    upstreamConnections: 256,
    ...shared,
  });
  t.after(close);
  const edge = await serve(t, app);
  const tiers = [
    { name: "edge", url: edge },
    { name: "backend", url: backend },
  ];
  const traffic = await startTraffic({ tiers, values, say: () => {} });
  t.after(() => traffic.stop());
  return { edge, backend, traffic: `http://127.0.0.1:${traffic.port}` };
}

/** True where no budget limits the retries: the text form of infinity is no number. */
const isUnlimited = async (url: string): Promise<boolean> =>
  /^lab_retry_budget_balance\{[^}]*\} \+Inf$/m.test((await ask(`${url}/metrics`)).text);

const policyAt = (url: string, policy: string): Promise<number | undefined> => metric(url, "lab_run_info", { policy });

test("The load goes on until it is stopped, and its metrics say which policy it is for", async (t) => {
  const { edge, traffic } = await running(t);
  assert.equal(await policyAt(traffic, "naive"), 1);
  await until("twenty requests", async () =>
    ((await metric(edge, "lab_arrivals_total")) ?? 0) >= 20 ? true : undefined,
  );
  assert.ok(((await metric(traffic, "lab_client_requests_due_total")) ?? 0) >= 20);
});

test("Nothing is sent before every tier is ready", async (t) => {
  let ready = false;
  let asked = 0;
  let orders = 0;
  const url = await serve(t, (req, res) => {
    if (req.url === "/healthz") asked += 1;
    else orders += 1;
    res.statusCode = ready ? 200 : 503;
    res.end("{}");
  });
  const tiers = ["edge", "backend"].map((name) => ({ name, url }));
  const traffic = await startTraffic({ tiers, values: readValues(SETTINGS), say: () => {} });
  t.after(() => traffic.stop());
  await until("both tiers asked three times", async () => (asked >= 6 ? true : undefined));
  const due = () => metric(`http://127.0.0.1:${traffic.port}`, "lab_client_requests_due_total");
  assert.deepEqual([orders, await due()], [0, 0]);
  ready = true;
  await until("the load", async () => (orders > 0 ? true : undefined));
});

test("A switch reaches every tier while the load goes on, and begins with an empty queue", async (t) => {
  const { edge, backend, traffic } = await running(t);
  await until("a queue at the backend", async () =>
    ((await metric(backend, "lab_backend_queue_depth")) ?? 0) > 20 ? true : undefined,
  );
  assert.equal(await isUnlimited(edge), true);
  const deep = (await metric(backend, "lab_backend_queue_depth")) ?? 0;
  assert.deepEqual(await askJson("PUT", `${traffic}/policy`, BUDGETED), { policy: "budgeted" });
  assert.ok(((await metric(backend, "lab_backend_queue_depth")) ?? 0) < deep);
  assert.equal(await isUnlimited(edge), false);
  assert.equal(await metric(backend, "lab_backend_capacity_per_second"), 40);
  assert.equal(await metric(backend, "lab_backend_error_ratio"), 0.4);
  assert.deepEqual([await policyAt(traffic, "naive"), await policyAt(traffic, "budgeted")], [undefined, 1]);
});

test("Wrong settings are all named, and nothing changes", async (t) => {
  const { edge, traffic } = await running(t);
  const init = { method: "PUT", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ ...BUDGETED, RATE: "fast", RTAE: "1" });
  const unknown = await ask(`${traffic}/policy`, { ...init, body });
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /RTAE/);
  const malformed = await ask(`${traffic}/policy`, {
    ...init,
    body: JSON.stringify({ ...BUDGETED, RATE: "fast", SEED: "-x" }),
  });
  assert.equal(malformed.status, 400);
  assert.match(malformed.text, /RATE.*SEED|SEED.*RATE/);
  assert.equal(await isUnlimited(edge), true);
});

test("A web page can neither read it nor switch anything", async (t) => {
  const { traffic } = await running(t);
  for (const [method, path] of [
    ["GET", "/metrics"],
    ["PUT", "/policy"],
  ] as const) {
    const { status } = await ask(traffic + path, { method, headers: { origin: "http://example.com" } });
    assert.equal(status, 403);
  }
});
