import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRng } from "../policy/rng.ts";
import { attemptHeaders, problemsOfOrder, requestOf } from "./headers.ts";
import { stopOfProblem } from "./problem.ts";
import { childTraceparent, traceIdIn } from "./trace-context.ts";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** The value of a header in undici's flat form. */
function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.indexOf(name);
  return at % 2 === 0 ? headers[at + 1] : undefined;
}

test("A request is read from its headers", () => {
  const request = requestOf("o1", "POST", "/orders/o1?x=1", {
    traceparent: TRACE,
    "idempotency-key": "k",
    "x-envoy-attempt-count": "2",
    "x-envoy-expected-rq-timeout-ms": "480",
    "x-lab-replica": "2",
    "x-lab-tied": "1",
  });
  assert.deepEqual(request, {
    id: "o1",
    method: "POST",
    path: "/orders/o1?x=1",
    traceparent: TRACE,
    idempotencyKey: "k",
    attempt: 2,
    remainingMs: 480,
    replica: 2,
    tied: 1,
  });
});

const malformed: [header: string, value: string][] = [
  ["x-envoy-expected-rq-timeout-ms", "soon"],
  ["x-envoy-expected-rq-timeout-ms", "Infinity"],
  ["x-envoy-expected-rq-timeout-ms", "0x10"],
  ["x-envoy-expected-rq-timeout-ms", ""],
  ["x-envoy-attempt-count", "0"],
  ["x-envoy-attempt-count", "-1"],
  ["x-envoy-attempt-count", "1e9"],
  ["x-lab-replica", "0"],
  ["x-lab-replica", "9"],
  ["x-lab-replica", "one"],
  ["x-lab-tied", "0"],
  ["traceparent", TRACE.toUpperCase()],
  ["traceparent", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
  ["traceparent", "00-xyz"],
  ["idempotency-key", ""],
];

for (const [header, value] of malformed) {
  test(`${header}: ${JSON.stringify(value)} counts as absent`, () => {
    assert.deepEqual(requestOf("o1", "GET", "/", { [header]: value }), requestOf("o1", "GET", "/", {}));
  });
}

test("A deadline that has passed is read as what it is", () => {
  for (const [text, ms] of [
    ["0", 0],
    ["-20", -20],
    ["0.5", 0.5],
  ] as const) {
    assert.equal(requestOf("o", "GET", "/", { "x-envoy-expected-rq-timeout-ms": text }).remainingMs, ms);
  }
});

test("Each attempt is a new span of the same trace, and says its number, key and time", () => {
  const request = requestOf("o1", "POST", "/orders/o1", { traceparent: TRACE, "idempotency-key": "k" });
  const sent = { ...request, attempt: 2, remainingMs: 99 };
  const rng = seededRng(1, "span ids");
  const [one, two] = [1, 2].map(() => attemptHeaders(sent, childTraceparent(TRACE, rng)));
  const [a = "", b = ""] = [valueOf(one ?? [], "traceparent"), valueOf(two ?? [], "traceparent")];
  assert.match(a, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  assert.equal(traceIdIn(a), traceIdIn(TRACE));
  assert.notEqual(a, b);
  assert.notEqual(a, TRACE);
  assert.equal(valueOf(one ?? [], "x-envoy-attempt-count"), "2");
  assert.equal(valueOf(one ?? [], "idempotency-key"), "k");
  assert.equal(valueOf(one ?? [], "x-envoy-expected-rq-timeout-ms"), "99");
});

test("The replica and the tie are said where they are chosen, and nowhere else", () => {
  const request = requestOf("o1", "GET", "/orders/o1", {});
  const sent = attemptHeaders({ ...request, replica: 2, tied: 1 }, "");
  assert.deepEqual([valueOf(sent, "x-lab-replica"), valueOf(sent, "x-lab-tied")], ["2", "1"]);
});

test("What the client did not say is not sent on", () => {
  assert.deepEqual(
    attemptHeaders(
      requestOf("o", "GET", "/", {}),
      childTraceparent("", () => 0),
    ),
    ["x-envoy-attempt-count", "1"],
  );
});

test("An order's id and a key have bounds, and all that is wrong is said at once", () => {
  assert.deepEqual(problemsOfOrder("A-z_9", { "idempotency-key": "k".repeat(255) }), []);
  assert.deepEqual(problemsOfOrder("x".repeat(64), {}), []);
  for (const id of ["", "a.b", "a b", "x".repeat(65), "ä"]) assert.equal(problemsOfOrder(id, {}).length, 1, id);
  assert.equal(problemsOfOrder("a.b", { "idempotency-key": "k".repeat(256) }).length, 2);
});

test("The reason to stop is read from a problem only where it is a known one", () => {
  assert.equal(stopOfProblem('{"stop":"budget_exhausted"}'), "budget_exhausted");
  for (const text of ['{"stop":"because"}', '{"stop":7}', "{}", "null", "[]", '"success"', "<html>", ""]) {
    assert.equal(stopOfProblem(text), undefined, text);
  }
});
