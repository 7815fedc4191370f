import assert from "node:assert/strict";
import { test } from "node:test";
import { createQueue, LIFO_AFTER_MS, QUEUE_ORDERS, type Queue, type Queued } from "./order.ts";

interface Named extends Queued {
  readonly name: string;
}

function joined(line: Queue<Named>, ...entries: [name: string, joinedAt: number, attempt?: number][]): void {
  for (const [name, joinedAt, attempt = 1] of entries) line.push({ name, joinedAt, attempt });
}

function servedAt(line: Queue<Named>, now: number): string {
  let order = "";
  for (let next = line.peek(now); next !== undefined; next = line.peek(now)) {
    assert.equal(line.shift(now), next, "the one that is next is the one that is taken");
    order += next.name;
  }
  return order;
}

test("fifo serves whoever has waited longest", () => {
  const line = createQueue<Named>("fifo");
  joined(line, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(line, 10_000), "abc");
});

test("lifo is first in, first out while the queue moves", () => {
  const line = createQueue<Named>("lifo");
  joined(line, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(line, LIFO_AFTER_MS), "abc");
});

test("lifo serves the newest first once the oldest has waited too long", () => {
  const line = createQueue<Named>("lifo");
  joined(line, ["a", 0], ["b", 1], ["c", 2]);
  assert.equal(servedAt(line, LIFO_AFTER_MS + 1), "cba");
});

test("priority serves first tries before retries, each in their order", () => {
  const line = createQueue<Named>("priority");
  joined(line, ["r", 0, 2], ["a", 1, 1], ["s", 2, 3], ["b", 3, 1]);
  assert.equal(servedAt(line, 10), "abrs");
});

for (const order of QUEUE_ORDERS) {
  test(`${order} forgets those who do not pass`, () => {
    const line = createQueue<Named>(order);
    joined(line, ["a", 0], ["b", 1, 2], ["c", 2]);
    line.retain(({ name }) => name !== "a");
    assert.equal(line.length, 2);
    assert.equal(servedAt(line, 2).split("").toSorted().join(""), "bc");
  });
}
