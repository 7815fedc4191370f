import assert from "node:assert/strict";
import { test } from "node:test";
import { IdempotencyStore } from "./idempotency-store.ts";
import type { BackendReply } from "./request.ts";

const OK: BackendReply = { outcome: "ok", status: 200 };
const FAILED: BackendReply = { outcome: "failed", status: 500 };

test("a key that is new is a first call, and one that is done gives the kept answer", () => {
  const store = new IdempotencyStore(1000);
  assert.equal(store.claim("k", "order", 0).kind, "first");
  store.settle("k", OK, 10);
  assert.deepEqual(store.claim("k", "order", 20), { kind: "done", reply: OK });
});

// Case 18 of docs/cases.md.
test("a second call while the first one runs gets the first one's answer", () => {
  const store = new IdempotencyStore(1000);
  store.claim("k", "order", 0);
  assert.equal(store.claim("k", "order", 1).kind, "running");
  const got: BackendReply[] = [];
  store.wait("k", (reply) => got.push(reply));
  store.settle("k", OK, 10);
  assert.deepEqual(got, [OK]);
});

test("a failure is not kept: the next call does the work", () => {
  const store = new IdempotencyStore(1000);
  store.claim("k", "order", 0);
  store.settle("k", FAILED, 10);
  assert.equal(store.claim("k", "order", 20).kind, "first");
});

test("an answer is forgotten after its time to live", () => {
  const store = new IdempotencyStore(1000);
  store.claim("k", "order", 0);
  store.settle("k", OK, 10);
  assert.equal(store.claim("k", "order", 1009).kind, "done");
  assert.equal(store.claim("k", "order", 1010).kind, "first");
});

test("the store forgets the oldest answers beyond its bound, and never a call that runs", () => {
  const store = new IdempotencyStore(1e9);
  store.claim("running", "order", 0);
  for (let i = 0; i < 70_000; i += 1) {
    store.claim(`k${i}`, "order", i);
    store.settle(`k${i}`, OK, i);
  }
  assert.equal(store.claim("running", "order", 70_000).kind, "running");
  assert.equal(store.claim("k69999", "order", 70_000).kind, "done");
  assert.equal(store.claim("k0", "order", 70_000).kind, "first");
});

test("a key that stands for another request is refused, running or done, until it is forgotten", () => {
  const store = new IdempotencyStore(1000);
  store.claim("k", "order 1", 0);
  assert.equal(store.claim("k", "order 2", 1).kind, "misused");
  store.settle("k", OK, 10);
  assert.equal(store.claim("k", "order 2", 20).kind, "misused");
  assert.equal(store.claim("k", "order 1", 20).kind, "done");
  assert.equal(store.claim("k", "order 2", 1010).kind, "first");
});
