import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "./outcome.ts";
import { HOT_MS, Replicas } from "./replica-choice.ts";

const shed = (retryAfterMs?: number): Reply => ({ outcome: "overloaded", status: 503, retryAfterMs });

test("first attempts take the replicas in turn, and further ones do not move the turn", () => {
  const replicas = new Replicas(3);
  assert.deepEqual([replicas.first(), replicas.after(1, 0), replicas.first()], [1, 2, 2]);
  assert.deepEqual([replicas.first(), replicas.first()], [3, 1]);
});

test("a further attempt never goes to the replica that was asked last", () => {
  const replicas = new Replicas(2);
  assert.deepEqual([replicas.after(1, 0), replicas.after(2, 0)], [2, 1]);
  for (const replica of [1, 2]) replicas.heard(replica, shed(), 0);
  assert.deepEqual([replicas.after(1, 0), replicas.after(2, 0)], [2, 1]);
});

test("one hot replica of three is passed by, and with all three hot none is left", () => {
  const replicas = new Replicas(3);
  replicas.heard(2, shed(), 0);
  assert.equal(replicas.after(1, 10), 3);
  assert.equal(replicas.hasCool(1, 10), true);
  replicas.heard(3, shed(), 5);
  assert.equal(replicas.hasCool(1, 10), false);
  assert.equal(replicas.hasCool(2, 10), true, "the first has not shed");
});

test("a replica is hot for a second, or for as long as it asked, and five minutes at most", () => {
  const hotAfter = (reply: Reply, ms: number): boolean => {
    const replicas = new Replicas(2);
    replicas.heard(2, reply, 0);
    return !replicas.hasCool(1, ms);
  };
  assert.deepEqual([hotAfter(shed(0), HOT_MS - 1), hotAfter(shed(0), HOT_MS)], [true, false]);
  assert.deepEqual([hotAfter(shed(3000), 2999), hotAfter(shed(3000), 3000)], [true, false]);
  assert.equal(hotAfter(shed(1e12), 300_000), false);
  assert.equal(hotAfter({ outcome: "failed", status: 500 }, 0), false);
});
