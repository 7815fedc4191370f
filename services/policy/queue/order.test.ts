import assert from "node:assert/strict";
import { test } from "node:test";
import { createQueue, LIFO_AFTER_MS, QUEUE_ORDERS, type Queue, type Queued } from "./order.ts";

interface Named extends Queued {
  readonly name: string;
}

function joined(queue: Queue<Named>, ...entries: [name: string, joinedAt: number, attempt?: number][]): void {
  for (const [name, joinedAt, attempt = 1] of entries) queue.push({ name, joinedAt, attempt });
}

function servedAt(queue: Queue<Named>, now: number): string {
  let order = "";
  for (let next = queue.peek(now); next !== undefined; next = queue.peek(now)) {
    assert.equal(queue.shift(now), next, "the one that is next is the one that is taken");
    order += next.name;
  }
  return order;
}

test("fifo serves whoever has waited longest", () => {
  const queue = createQueue<Named>("fifo");
  joined(queue, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(queue, 10_000), "abc");
});

test("lifo is first in, first out while the queue moves", () => {
  const queue = createQueue<Named>("lifo");
  joined(queue, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(queue, LIFO_AFTER_MS), "abc");
});

test("lifo serves the newest first once the oldest has waited too long", () => {
  const queue = createQueue<Named>("lifo");
  joined(queue, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(queue, LIFO_AFTER_MS + 1), "cba");
});

test("priority serves first tries before retries, each in their order", () => {
  const queue = createQueue<Named>("priority");
  joined(queue, ["r", 0, 2], ["a", 1, 1], ["s", 2, 3], ["b", 3, 1]);
  assert.equal(servedAt(queue, 10), "abrs");
});

for (const order of QUEUE_ORDERS) {
  test(`${order} forgets those who do not pass`, () => {
    const queue = createQueue<Named>(order);
    joined(queue, ["a", 0], ["b", 1, 2], ["c", 2]);
    queue.retain(({ name }) => name !== "a");
    assert.equal(queue.length, 2);
    assert.equal(servedAt(queue, 2).split("").toSorted().join(""), "bc");
  });
}
