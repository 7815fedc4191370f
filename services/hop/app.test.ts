import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { createHopApp } from "./app.ts";
import { realClock } from "../real-time/clock.ts";
import type { HopStats } from "../contract/stats.ts";
import { ask, askJson, heard, metric, nobody, promised, serve, silent, type Line } from "../http/testdata/http.ts";
import { VirtualClock } from "../virtual-time/clock.ts";
import type { Clock } from "../policy/clock.ts";
import type { RetryPolicy } from "../policy/retry-policy.ts";
import { backoffWith, budgetWith, policyWith } from "../policy/testdata/policies.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const TRACE = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };

interface Setting {
  readonly upstream: RequestListener | string;
  readonly policy?: Partial<RetryPolicy>;
  readonly clock?: Clock;
  readonly log?: typeof silent;
  readonly isStopping?: () => boolean;
}

/** A hop called edge over HTTP in front of `upstream`; without waits between its attempts. */
async function hopOver(t: TestContext, { upstream, policy, clock, log, isStopping }: Setting): Promise<string> {
  const upstreamUrl = typeof upstream === "string" ? upstream : await serve(t, upstream);
  const { app, close } = createHopApp({
    name: "edge",
    policy: policyWith({ backoff: backoffWith({ kind: "none" }), attemptTimeoutMs: Infinity, ...policy }),
    upstreamUrl,
    upstreamConnections: 8,
    seed: 1,
    clock: clock ?? realClock,
    log: log ?? silent,
    isStopping: isStopping ?? (() => false),
  });
  t.after(close);
  return serve(t, app);
}

const statsOf = (url: string): Promise<HopStats> => askJson("GET", `${url}/stats`);

const fails: RequestListener = (_req, res) => res.writeHead(500).end();

test("A good answer is passed on with its body and the number of attempts", async (t) => {
  const url = await hopOver(t, { upstream: (_req, res) => res.end('{"order":"o1"}') });
  const { status, text, headers } = await ask(`${url}/orders/o1`);
  assert.deepEqual([status, text, headers.get("x-lab-attempts")], [200, '{"order":"o1"}', "1"]);
  assert.equal(headers.get("x-powered-by"), null);
  assert.equal(headers.get("etag"), null);
});

test("An answer that is not good is a problem that says outcome and stop", async (t) => {
  const url = await hopOver(t, { upstream: fails });
  const { status, text, headers } = await ask(`${url}/orders/o1`);
  assert.deepEqual([status, headers.get("x-lab-attempts")], [500, "3"]);
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.deepEqual(JSON.parse(text), {
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    outcome: "failed",
    stop: "attempts_exhausted",
  });
});

test("The path and its query are handed on as they are, and the attempts are numbered", async (t) => {
  const seen: unknown[] = [];
  const url = await hopOver(t, {
    upstream: (req, res) => {
      seen.push([req.method, req.url, req.headers["x-envoy-attempt-count"], req.headers["idempotency-key"]]);
      fails(req, res);
    },
  });
  await ask(`${url}/orders/o1?a=%20b&c`, { method: "POST", headers: { "idempotency-key": "k1" } });
  const row = (n: string): string[] => ["POST", "/orders/o1?a=%20b&c", n, "k1"];
  assert.deepEqual(seen, [row("1"), row("2"), row("3")]);
});

test("An upstream that dies in the middle of a request is tried again and then a 502", async (t) => {
  let calls = 0;
  const url = await hopOver(t, {
    upstream: (req) => {
      calls += 1;
      req.socket.destroy();
    },
  });
  const { status, text } = await ask(`${url}/orders/o1`);
  assert.deepEqual([status, calls], [502, 3]);
  assert.match(text, /"outcome":"failed","stop":"attempts_exhausted"/);
  assert.equal((await statsOf(url)).unsent, 0);
});

test("Attempts that found nobody are counted as unsent", async (t) => {
  const url = await hopOver(t, { upstream: await nobody() });
  assert.equal((await ask(`${url}/orders/o1`)).status, 502);
  const { attempts, unsent } = await statsOf(url);
  assert.deepEqual([attempts, unsent], [3, 3]);
  assert.equal(await metric(url, "lab_attempts_unsent_total"), 3);
});

for (const [respectRetryOk, calls] of [
  [true, 1],
  [false, 3],
] as const) {
  test(`x-retry-ok: 0 from below ${respectRetryOk ? "stops the retries" : "is ignored"} where the policy says so`, async (t) => {
    let seen = 0;
    const url = await hopOver(t, {
      policy: { respectRetryOk },
      upstream: (_req, res) => {
        seen += 1;
        res.writeHead(500, { "x-retry-ok": "0" }).end();
      },
    });
    const { headers } = await ask(`${url}/orders/o1`);
    assert.deepEqual([seen, headers.get("x-retry-ok")], [calls, "0"]);
  });
}

test("Who is not taken on gets 503 and Retry-After at once, and is counted; a place that becomes free is taken", async (t) => {
  const held: ServerResponse[] = [];
  const url = await hopOver(t, {
    upstream: (_req, res) => void held.push(res),
    policy: {
      admission: { kind: "fixed", limit: 1, queue: 1, order: "fifo", codel: false, retryAfterMs: 2500 },
    },
  });
  const statsWhen = async (isSo: (stats: HopStats) => boolean): Promise<void> => {
    while (!isSo(await statsOf(url)));
  };
  const inside = ask(`${url}/orders/inside`);
  await statsWhen(({ attempts }) => attempts === 1);
  const waiting = ask(`${url}/orders/waiting`);
  await statsWhen(({ arrivals }) => arrivals === 2);
  const { status, text, headers } = await ask(`${url}/orders/shed`);
  assert.deepEqual(
    [status, headers.get("retry-after"), headers.get("x-retry-ok"), headers.get("x-lab-attempts")],
    [503, "3", null, "0"],
  );
  assert.match(text, /"outcome":"overloaded","stop":"shed"/);
  held[0]?.end("{}");
  assert.equal((await inside).status, 200);
  await statsWhen(({ attempts }) => attempts === 2);
  held[1]?.end("{}");
  assert.equal((await waiting).status, 200);
  const { arrivals, attempts, stopReasons, inFlight } = await statsOf(url);
  assert.deepEqual([arrivals, attempts, inFlight], [3, 2, 0]);
  assert.deepEqual([stopReasons.success, stopReasons.shed], [2, 1]);
  assert.equal(await metric(url, "lab_retry_stops_total", { reason: "shed" }), 1);
});

test("Retry-After of an overloaded upstream is passed on, in seconds", async (t) => {
  const url = await hopOver(t, { upstream: (_req, res) => res.writeHead(503, { "retry-after": "7" }).end() });
  const { status, text, headers } = await ask(`${url}/orders/o1`);
  assert.deepEqual([status, headers.get("retry-after"), headers.get("x-retry-ok")], [503, "7", "0"]);
  assert.match(text, /"outcome":"overloaded","stop":"overloaded_upstream"/);
});

test("A hop whose budget is spent tells those above not to retry", async (t) => {
  const url = await hopOver(t, { policy: { budget: budgetWith({ ratio: 0 }) }, upstream: fails });
  const { text, headers } = await ask(`${url}/orders/o1`);
  assert.equal(headers.get("x-retry-ok"), "0");
  assert.match(text, /"stop":"budget_exhausted"/);
  assert.equal(await metric(url, "lab_retry_budget_denials_total"), 1);
});

test("A slow attempt is given up at its timeout, and the upstream is told", async (t) => {
  const clock = new VirtualClock();
  const arrived = promised();
  const gone = promised();
  const url = await hopOver(t, {
    clock,
    policy: { attemptTimeoutMs: 200, maxAttempts: 1 },
    upstream: (_req, res) => {
      res.on("close", () => gone.keep());
      arrived.keep();
    },
  });
  const answer = ask(`${url}/orders/o1`);
  await arrived.promise;
  clock.runUntil(200);
  const { status, text } = await answer;
  assert.equal(status, 504);
  assert.match(text, /"outcome":"timeout"/);
  await gone.promise;
});

test("A write without a key is not tried twice", async (t) => {
  let calls = 0;
  const url = await hopOver(t, {
    upstream: (req, res) => {
      calls += 1;
      fails(req, res);
    },
  });
  const { text } = await ask(`${url}/orders/o1`, { method: "POST" });
  assert.equal(calls, 1);
  assert.match(text, /"stop":"not_replayable"/);
});

test("An id that no order can have is refused before it costs anything", async (t) => {
  const url = await hopOver(t, { upstream: () => assert.fail("nothing may be sent") });
  for (const id of ["a.b", "x".repeat(65), "%20", "%E0%A4%A"]) {
    const { status, text } = await ask(`${url}/orders/${id}`);
    assert.equal(status, 400, id);
    assert.match(text, /"outcome":"rejected"/);
  }
  assert.equal((await statsOf(url)).arrivals, 0);
});

test("The metrics of a hop move with what it does", async (t) => {
  let calls = 0;
  const url = await hopOver(t, {
    policy: { budget: budgetWith({ ratio: 1, burst: 10 }) },
    upstream: (req, res) => {
      calls += 1;
      if (calls === 2) res.end("{}");
      else fails(req, res);
    },
  });
  await ask(`${url}/orders/o1`, { headers: { "x-envoy-expected-rq-timeout-ms": "5000" } });
  const expected: [name: string, labels: Record<string, string>, value: number][] = [
    ["lab_arrivals_total", { service: "edge" }, 1],
    ["lab_requests_total", { outcome: "ok" }, 1],
    ["lab_requests_total", { outcome: "failed" }, 0],
    ["lab_attempts_total", { outcome: "failed", attempt: "1" }, 1],
    ["lab_attempts_total", { outcome: "ok", attempt: "2" }, 1],
    ["lab_retries_total", {}, 1],
    ["lab_retry_stops_total", { reason: "success" }, 1],
    ["lab_retry_budget_denials_total", {}, 0],
    ["lab_retry_budget_balance", {}, 0],
    ["lab_requests_in_flight", {}, 0],
    ["lab_request_duration_seconds_count", { outcome: "ok" }, 1],
    ["lab_attempt_duration_seconds_count", { outcome: "failed" }, 1],
    ["lab_deadline_remaining_seconds_sum", {}, 5],
    ["lab_upstream_waiting", {}, 0],
  ];
  for (const [name, labels, value] of expected) {
    assert.equal(await metric(url, name, labels), value, `${name} ${JSON.stringify(labels)}`);
  }
  assert.ok(((await metric(url, "nodejs_eventloop_lag_p99_seconds")) ?? 0) > 0);
});

test("A run begins with counters at zero and a fresh budget, and Prometheus counters go on", async (t) => {
  const url = await hopOver(t, { policy: { budget: budgetWith({ start: 1, ratio: 0 }) }, upstream: fails });
  await ask(`${url}/orders/o1`);
  assert.deepEqual([(await statsOf(url)).attempts, (await statsOf(url)).budgetBalance], [2, 0]);
  const description = await askJson("POST", `${url}/run`, { seed: 7 });
  assert.deepEqual(Object.keys(description as object), ["service", "kind", "policy"]);
  const { arrivals, attempts, budgetBalance, outcomes } = await statsOf(url);
  assert.deepEqual([arrivals, attempts, budgetBalance, outcomes.failed], [0, 0, 1, 0]);
  assert.equal(await metric(url, "lab_arrivals_total"), 1);
});

test("A policy's Infinity travels as null", async (t) => {
  const url = await hopOver(t, { upstream: fails });
  const { policy } = await askJson<{ policy: Record<string, unknown> }>("POST", `${url}/run`, { seed: 1 });
  assert.deepEqual([policy["deadlineMs"], policy["maxAttempts"]], [null, 3]);
  assert.equal((await statsOf(url)).budgetBalance, null);
});

test("A run does not begin while requests are in flight, nor with a seed that is none", async (t) => {
  const arrived = promised<ServerResponse>();
  const url = await hopOver(t, { upstream: (_req, res) => arrived.keep(res) });
  const answer = ask(`${url}/orders/o1`);
  const res = await arrived.promise;
  assert.equal((await statsOf(url)).inFlight, 1);
  assert.match(
    JSON.stringify(await askJson("POST", `${url}/run`, { seed: 1 })),
    /"status":409.*1 requests are in flight/,
  );
  res.end();
  await answer;
  for (const body of [{}, { seed: "1" }, { seed: -1 }, { seed: 1.5 }, { seed: 2 ** 32 }, [], undefined]) {
    const problem = JSON.stringify(await askJson("POST", `${url}/run`, body));
    assert.match(problem, /"status":400.*seed must be a whole number/, JSON.stringify(body));
  }
});

test("A service that is stopping says so and refuses orders, on connections that then close", async (t) => {
  let stopping = false;
  const url = await hopOver(t, { upstream: (_req, res) => res.end("{}"), isStopping: () => stopping });
  assert.equal((await ask(`${url}/healthz`)).status, 200);
  stopping = true;
  assert.equal((await ask(`${url}/healthz`)).status, 503);
  const { status, headers } = await ask(`${url}/orders/o1`);
  assert.deepEqual([status, headers.get("connection")], [503, "close"]);
  assert.equal((await statsOf(url)).arrivals, 0);
});

test("Web pages may not use the administration", async (t) => {
  const url = await hopOver(t, { upstream: fails });
  const init = { headers: { origin: "http://evil.example" } };
  for (const path of ["healthz", "metrics", "stats"]) assert.equal((await ask(`${url}/${path}`, init)).status, 403);
  assert.equal((await ask(`${url}/run`, { ...init, method: "POST" })).status, 403);
});

test("What is not there is a 404 problem", async (t) => {
  const url = await hopOver(t, { upstream: fails });
  for (const path of ["", "orders", "orders/a/b", "faults"]) {
    const { status, headers } = await ask(`${url}/${path}`);
    assert.equal(status, 404, path);
    assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  }
});

test("Attempts are logged at debug, failed calls at info, with trace, hop, attempt, outcome and stop", async (t) => {
  const lines: Line[] = [];
  const log = heard("edge", "debug", (line) => lines.push(line));
  const url = await hopOver(t, { upstream: fails, log, policy: { maxAttempts: 2 } });
  await ask(`${url}/orders/o1`, { headers: TRACE });
  const short = lines.map(({ msg, traceId, hop, id, attempt, attempts, outcome, stop }) =>
    [msg, traceId, hop, id, attempt ?? attempts, outcome, stop].join(" "),
  );
  assert.deepEqual(short, [
    `attempt ${TRACE_ID} edge o1 1 failed `,
    `attempt ${TRACE_ID} edge o1 2 failed `,
    `call failed ${TRACE_ID} edge o1 2 failed attempts_exhausted`,
  ]);
});

test("At the level warn a storm writes nothing", async (t) => {
  const lines: Line[] = [];
  const log = heard("edge", "warn", (line) => lines.push(line));
  const url = await hopOver(t, { upstream: fails, log });
  await ask(`${url}/orders/o1`);
  assert.deepEqual(lines, []);
});
