/** Spans of a service as a process: what its environment and its collector do to it. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { collector } from "./testdata/collector.ts";
import type { BackendStats } from "../contract/stats.ts";
import { ask, askJson, nobody, serve, type Line } from "../http/testdata/http.ts";
import { start, urlOf } from "../http/testdata/service-process.ts";

/** Prints at the end which of OpenTelemetry's packages were loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(
  'import{createRequire}from"node:module";const{cache}=createRequire("file:///");' +
    'process.on("exit",()=>console.error("LOADED",...new Set(Object.keys(cache).join().match(/@opentelemetry.[a-z-]+/g))))',
)}`;

const HEALTHY = { ERROR_RATE: "0", LATENCY_MS: "0", LOG_LEVEL: "info" };
const AT_STOP_ONLY = { OTEL_BSP_SCHEDULE_DELAY: "600000" };

/** A backend that answers `orders` and is then told to stop. */
async function backend(t: TestContext, env: Record<string, string>, orders = 1) {
  const child = start(t, "backend", { ...HEALTHY, NODE_OPTIONS: `--import=${TELL_LOADED}`, ...env });
  const url = await urlOf(child);
  for (let n = 1; n <= orders; n += 1) assert.equal((await ask(`${url}/orders/o${n}`)).status, 200);
  child.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await child;
  assert.equal(exitCode, 0, stderr);
  return { stderr, lines: stdout.split("\n").map((line) => JSON.parse(line) as Line) };
}

test("Without a variable that asks for spans, nothing of the SDK is loaded", async (t) => {
  const { stderr } = await backend(t, { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_SERVICE_NAME: "shop" });
  assert.match(stderr, /^LOADED/mu);
  assert.doesNotMatch(stderr, /sdk-trace|exporter-trace/u);
});

test("What is left goes out at the stop, under the name of the tier", async (t) => {
  const { url, spans, paths } = await collector(t);
  const { stderr } = await backend(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...AT_STOP_ONLY }, 3);
  assert.deepEqual(
    spans.map(({ service, attributes }) => [service, attributes["lab.request.id"]]),
    [1, 2, 3].map((n) => ["backend", `o${n}`]),
  );
  assert.deepEqual(paths, ["/v1/traces"]);
  assert.match(stderr, /^LOADED.*sdk-trace/mu);
});

test("OTEL_SERVICE_NAME gives another name, and the tier still says which it is", async (t) => {
  const { url, spans } = await collector(t);
  await backend(t, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/in`, OTEL_SERVICE_NAME: "shop" });
  assert.deepEqual(
    spans.map(({ service, attributes }) => [service, attributes["lab.tier"]]),
    [["shop", "backend"]],
  );
});

test("A collector that is not there costs no request anything, and is told of once", async (t) => {
  const dead = await nobody();
  const impatient = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1", OTEL_EXPORTER_OTLP_TIMEOUT: "1" };
  const { lines } = await backend(t, { OTEL_EXPORTER_OTLP_ENDPOINT: dead, ...impatient }, 5);
  const told = lines.filter(({ msg }) => msg.startsWith("spans do not arrive"));
  assert.equal(told.length, 1);
  assert.deepEqual([told[0]?.["url"], told[0]?.["reason"]], [`${dead}/v1/traces`, "ECONNREFUSED"]);
});

test("GET /stats says that a collector is not there, and that one is", async (t) => {
  const { url: there } = await collector(t);
  const heard = async (endpoint: string, timeoutMs: string) => {
    const at = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs };
    const child = start(t, "backend", { ...HEALTHY, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1", ...at });
    const url = await urlOf(child);
    await ask(`${url}/orders/o1`);
    for (;;) {
      const { spans } = await askJson<BackendStats>("GET", `${url}/stats`);
      if (spans !== undefined && (spans.answers > 0 || spans.awayMs > 0)) return spans;
    }
  };
  assert.equal((await heard(await nobody(), "1")).answers, 0);
  assert.equal((await heard(there, "60000")).answers, 1);
});

test("A collector that never answers does not keep a service from ending", async (t) => {
  const url = await serve(t, () => {});
  await backend(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: "600000" });
});

test("Variables of spans that are wrong are named, nothing is started, and the exit is 2", async (t) => {
  const { exitCode, stderr } = await start(t, "backend", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" });
  assert.equal(exitCode, 2);
  assert.match(stderr, /OTEL_EXPORTER_OTLP_ENDPOINT .*collector:4317.*OTEL_TRACES_EXPORTER=none/u);
  assert.doesNotMatch(stderr, /\n\s+at /u);
});
