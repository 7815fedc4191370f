import assert from "node:assert/strict";
import { test } from "node:test";
import type { HopRequest } from "../../../../services/contract/request.ts";
import type { WireReply } from "../../../../services/contract/wire.ts";
import { VirtualClock } from "../../../../services/virtual-time/clock.ts";
import { Link, type Callee } from "./link.ts";

const OK: WireReply = { status: 200, doNotRetry: false };

const request = (id: string): HopRequest => ({
  id,
  method: "GET",
  path: `/orders/${id}`,
  traceparent: "",
  attempt: 1,
});

/** A link of 5 ms to a callee that answers after `serviceMs`, and all that is seen on both sides. */
function setUp(serviceMs: number, connections = Infinity) {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const note = (text: string): number => seen.push(`${clock.now()} ${text}`);
  const callee: Callee = ({ id }, done) => {
    note(`${id} arrives`);
    const undo = clock.after(serviceMs, () => done(OK));
    return () => {
      undo();
      note(`${id} has left`);
    };
  };
  const link = new Link({ clock, callee, oneWayMs: 5, connections });
  const send = (id: string) => link.send(request(id), (reply) => note(`${id} answered ${reply?.status ?? "nothing"}`));
  return { clock, link, send, seen };
}

test("a request takes the one-way latency down, and its answer the same up", () => {
  const { clock, link, send, seen } = setUp(8);
  send("a");
  assert.equal(link.open, 1);
  clock.runUntilIdle();
  assert.deepEqual(seen, ["5 a arrives", "18 a answered 200"]);
  assert.equal(link.open, 0);
});

test("the callee learns one link later that its caller has gone, and nobody is answered", () => {
  const { clock, send, seen } = setUp(100);
  const leave = send("a");
  clock.runUntil(20);
  leave();
  clock.runUntilIdle();
  assert.deepEqual(seen, ["5 a arrives", "25 a has left"]);
});

test("a request that is cancelled while on its way still arrives before the callee learns of it", () => {
  const { clock, link, send, seen } = setUp(100);
  send("a")();
  assert.equal(link.open, 0);
  clock.runUntilIdle();
  assert.deepEqual(seen, ["5 a arrives", "5 a has left"]);
  assert.equal(link.unsent, 0);
});

test("an answer that is on its way when the caller leaves is dropped", () => {
  const { clock, send, seen } = setUp(8);
  const leave = send("a");
  clock.runUntil(15);
  leave();
  clock.runUntilIdle();
  assert.deepEqual(seen, ["5 a arrives", "20 a has left"]);
});

test("those without a connection wait for one in order, and whoever gives up frees it at once", () => {
  const { clock, link, send, seen } = setUp(10, 1);
  const leaveFirst = send("a");
  send("b");
  send("c");
  assert.equal(link.open, 3);
  clock.runUntil(7);
  leaveFirst();
  clock.runUntilIdle();
  assert.deepEqual(
    seen.filter((line) => !line.includes("left")),
    ["5 a arrives", "12 b arrives", "27 b answered 200", "32 c arrives", "47 c answered 200"],
  );
});

test("a request that gives up while it waits was never sent", () => {
  const { clock, link, send, seen } = setUp(10, 1);
  send("a");
  const leave = send("b");
  leave();
  leave();
  clock.runUntilIdle();
  assert.equal(link.unsent, 1);
  assert.equal(link.open, 0);
  assert.deepEqual(seen, ["5 a arrives", "20 a answered 200"]);
});

test("where too many wait already, a request is turned away without an answer", () => {
  const { clock, link, send, seen } = setUp(10, 1);
  for (let i = 0; i <= 10_000; i += 1) send(`n${i}`);
  send("one too many");
  clock.runUntil(1);
  assert.deepEqual(seen, ["0 one too many answered nothing"]);
  assert.equal(link.unsent, 1);
});
