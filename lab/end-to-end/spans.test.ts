/** The spans of the whole chain, as a collector gets them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { orderTraceId, orderTraceparent } from "../../loadgen/core/trace-id.ts";
import type { BackendStats } from "../../services/contract/stats.ts";
import { collector, type Seen } from "../../services/telemetry/testdata/collector.ts";
import { ask, askJson, silent } from "../../services/http/testdata/http.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { startTracing } from "../../services/telemetry/tracing.ts";
import type { Tracing } from "../../services/telemetry/tracing-sdk.ts";
import { chainOf, type Chain, type Setting } from "./testdata/chain.ts";

const TRACE_ID = orderTraceId(1, "s1-17");
const TRACEPARENT = orderTraceparent(TRACE_ID);

interface Traced extends Chain {
  /** All spans, once everything has been sent. */
  readonly spans: () => Promise<readonly Seen[]>;
}

async function tracedChain(t: TestContext, setting: Setting): Promise<Traced> {
  const { url, spans } = await collector(t);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const started = new Map<string, Tracing>();
  for (const tier of ["edge", "api", "backend"]) {
    const tracing = await startTracing(tier, environment, { log: silent, clock: realClock });
    started.set(tier, tracing ?? assert.fail("spans are off"));
  }
  const chain = await chainOf(t, {
    ...setting,
    tracing: (tier) => started.get(tier) ?? assert.fail(`no tracing for ${tier}`),
  });
  const stopped = async () => Promise.all([...started.values()].map((tracing) => tracing.stop()));
  t.after(stopped);
  return {
    ...chain,
    spans: async () => {
      assert.deepEqual(await stopped(), [true, true, true]);
      return spans;
    },
  };
}

const order = (edge: string, headers: Record<string, string> = { traceparent: TRACEPARENT }) =>
  ask(`${edge}/orders/s1-17?size=2`, { headers });

const below = (spans: readonly Seen[], parent: Seen): Seen[] =>
  spans.filter(({ parentId }) => parentId === parent.spanId);

/** "edge › edge#1 › api › api#2 › backend" for each span without another below it, in their order. */
function branches(spans: readonly Seen[], from: Seen, above = ""): string[] {
  const name = from.kind === "server" ? String(from.attributes["lab.tier"]) : from.name;
  const path = above === "" ? name : `${above} › ${name}`;
  const children = below(spans, from).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return children.length === 0 ? [path] : children.flatMap((child) => branches(spans, child, path));
}

const rootOf = (spans: readonly Seen[]): Seen =>
  spans.find(({ service, kind }) => service === "edge" && kind === "server") ?? assert.fail("no span of edge");

const attemptsOf = (spans: readonly Seen[], tier: string): Seen[] =>
  spans.filter(({ kind, service }) => kind === "client" && service === tier);

// Case 17 of docs/cases.md.
test("attempt k is a span that carries resend_count k − 1, absent on the first, under the request that made it", async (t) => {
  const { edge, spans } = await tracedChain(t, { backend: { errorRate: 1 } });
  await order(edge);
  const seen = await spans();
  const tries = [1, 2, 3];
  const expected = tries.flatMap((e) => tries.map((a) => `edge › edge#${e} › api › api#${a} › backend`));
  assert.deepEqual(branches(seen, rootOf(seen)), expected);
  assert.equal(seen.length, 1 + 3 + 3 + 9 + 9);
  for (const { name, attributes } of seen.filter(({ kind }) => kind === "client")) {
    const attempt = Number(name.split("#")[1]);
    assert.equal(attributes["http.request.resend_count"], attempt === 1 ? undefined : attempt - 1, name);
    assert.equal(attributes["lab.attempt"], attempt);
  }
});

test("All spans of a request are of the trace that stands in its record, and begin under the generator's span", async (t) => {
  const { edge, spans } = await tracedChain(t, {});
  await order(edge);
  const seen = await spans();
  assert.deepEqual([...new Set(seen.map(({ traceId }) => traceId))], [TRACE_ID]);
  assert.equal(rootOf(seen).parentId, TRACEPARENT.split("-")[2]);
});

test("What an attempt carries on the wire is the id of its own span", async (t) => {
  const chain = await tracedChain(t, { backend: { errorRate: 1 } });
  await order(chain.edge);
  const seen = await chain.spans();
  for (const [caller, callee] of [
    ["edge", "api"],
    ["api", "backend"],
  ] as const) {
    assert.deepEqual(
      chain.seen[callee].map(({ traceparent }) => String(traceparent)).toSorted(),
      attemptsOf(seen, caller)
        .map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`)
        .toSorted(),
    );
  }
});

test("A span says how it ended: status, error, outcome, stop reason, attempts and waits", async (t) => {
  const { edge, spans } = await tracedChain(t, { backend: { errorRate: 1 } });
  await order(edge);
  const seen = await spans();
  const root = rootOf(seen);
  assert.equal(root.name, "GET /orders/:id");
  assert.ok(root.isError);
  assert.deepEqual(root.attributes, {
    "http.request.method": "GET",
    "http.route": "/orders/:id",
    "url.path": "/orders/s1-17",
    "url.scheme": "http",
    "lab.tier": "edge",
    "lab.request.id": "s1-17",
    "lab.caller.attempt": 1,
    "lab.outcome": "failed",
    "lab.stop": "attempts_exhausted",
    "lab.attempts": 3,
    "http.response.status_code": 500,
    "error.type": "500",
  });
  assert.deepEqual(
    root.events,
    [1, 2].map((attempt) => ({ name: "retry", attributes: { "lab.attempt": attempt, "lab.delay_ms": 0 } })),
  );
  for (const { isError, attributes } of attemptsOf(seen, "api")) {
    const { "http.response.status_code": status, "error.type": error, "lab.outcome": outcome } = attributes;
    assert.deepEqual([isError, status, error, outcome], [true, 500, "500", "failed"]);
    assert.match(String(attributes["url.full"]), /^http:\/\/127\.0\.0\.1:\d+\/orders\/s1-17\?size=2$/u);
    assert.equal(`http://127.0.0.1:${String(attributes["server.port"])}/orders/s1-17?size=2`, attributes["url.full"]);
  }
});

test("A request that goes well has no error in any of its spans", async (t) => {
  const { edge, spans } = await tracedChain(t, {});
  await order(edge);
  const seen = await spans();
  assert.deepEqual(branches(seen, rootOf(seen)), ["edge › edge#1 › api › api#1 › backend"]);
  for (const { isError, attributes } of seen) {
    const { "http.response.status_code": status, "error.type": error, "lab.outcome": outcome } = attributes;
    assert.deepEqual([isError, status, error, outcome], [false, 200, undefined, "ok"]);
  }
  assert.equal(rootOf(seen).attributes["lab.stop"], "success");
});

test("An attempt that ran out of time has no status, because nobody sent one", async (t) => {
  const { edge, backend, spans } = await tracedChain(t, {
    policy: { maxAttempts: 1 },
    api: { attemptTimeoutMs: 20 },
    backend: { latencyMs: 600_000 },
  });
  await order(edge);
  let inFlight = 1;
  while (inFlight > 0) ({ inFlight } = await askJson<BackendStats>("GET", `${backend}/stats`));
  const seen = await spans();
  const [attempt] = attemptsOf(seen, "api");
  assert.equal(attempt?.attributes["http.response.status_code"], undefined);
  assert.deepEqual([attempt?.isError, attempt?.attributes["error.type"]], [true, "timeout"]);
  const [atBackend] = seen.filter(({ service }) => service === "backend");
  assert.deepEqual([atBackend?.isError, atBackend?.attributes["lab.outcome"]], [false, "left"]);
});

test("A second copy is marked, and the copy that lost is nobody's error", async (t) => {
  const hedge = { trigger: { kind: "delay", delayMs: 1 }, ratio: 1 } as const;
  const { edge, spans } = await tracedChain(t, {
    api: { replicas: 2, hedge },
    backend: { replicas: 2, slowReplica: 1, stragglerMs: 600_000 },
  });
  // The replicas take turns: one of the two orders begins at the slow one.
  for (const id of ["s1-1", "s1-2"]) await ask(`${edge}/orders/${id}`);
  const seen = await spans();
  const copies = attemptsOf(seen, "api").filter(({ attributes }) => attributes["lab.hedge"] === true);
  const lost = attemptsOf(seen, "api").filter(({ attributes }) => attributes["lab.outcome"] === "cancelled");
  assert.ok(copies.length >= 1 && lost.length >= 1, `${copies.length} copies, ${lost.length} lost`);
  for (const { attributes } of copies) assert.equal(attributes["http.request.resend_count"], 1);
  for (const { isError, attributes } of lost) {
    assert.deepEqual([isError, attributes["error.type"], attributes["lab.replica"]], [false, undefined, 1]);
  }
  const events = seen.flatMap(({ events: all }) => all).filter(({ name }) => name === "hedge");
  assert.ok(events.some(({ attributes }) => attributes["lab.hedge.event"] === "won"));
});

test("A client without a trace gets one, and a client that asks for none of its own to be kept gets none", async (t) => {
  const { edge, seen: wire, spans } = await tracedChain(t, {});
  await order(edge, {});
  await order(edge, { traceparent: TRACEPARENT.replace(/01$/u, "00") });
  const seen = await spans();
  assert.equal(rootOf(seen).parentId, undefined);
  assert.deepEqual(branches(seen, rootOf(seen)), ["edge › edge#1 › api › api#1 › backend"]);
  assert.equal(seen.length, 5);
  assert.match(String(wire.backend[1]?.traceparent), new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`, "u"));
});
