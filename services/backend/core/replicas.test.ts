import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { capacityPart } from "./config.ts";
import { createBackend, type BackendConfig } from "./model.ts";
import type { BackendRequest } from "./request.ts";

/** Twenty calls a second in two replicas, one at once each, 8 ms a call. */
const TWO: BackendConfig = {
  replicas: 2,
  capacity: 20,
  capacityBurst: 2,
  errorRate: 0,
  latencyMs: 8,
  queueLimit: Infinity,
  shedRetryAfterS: 2,
  dropExpired: false,
  leaveOnDisconnect: false,
  timeline: [],
};

/** Two replicas in virtual time, and what they answered: "<ms> <id> <outcome>". */
function setUp(changes: Partial<BackendConfig> = {}) {
  const clock = new VirtualClock();
  const backend = createBackend({ ...TWO, ...changes }, clock, 1);
  backend.begin(1);
  const seen: string[] = [];
  const ask = (id: string, request: Partial<BackendRequest> = {}) =>
    backend.serve({ id, method: "GET", ...request }, ({ outcome }) => {
      seen.push(`${Math.round(clock.now())} ${id} ${outcome}`);
    });
  return { clock, backend, seen, ask };
}

test("a call that names no replica takes them in turn, one that names it queues there", () => {
  const { clock, seen, ask } = setUp();
  for (const id of ["a", "b"]) ask(id);
  ask("c", { replica: 1 });
  ask("d", { replica: 1 });
  ask("e", { replica: 2 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "8 b ok", "108 c ok", "108 e ok", "208 d ok"]);
});

test("a replica that does not exist counts as none", () => {
  const { clock, seen, ask } = setUp();
  ask("a", { replica: 7 });
  ask("b", { replica: 7 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "8 b ok"]);
});

test("capacity, burst and queue bound are the whole backend's: each replica has its part", () => {
  const { backend, ask } = setUp({ queueLimit: 4, capacityBurst: undefined, capacity: 40 });
  for (let n = 0; n < 10; n += 1) ask(`o${n}`, { replica: 1 });
  const { serving, waiting, shed } = backend.counts();
  assert.deepEqual({ serving, waiting, shed }, { serving: 2, waiting: 2, shed: 6 });
  assert.equal(backend.faults().capacity, 40);
});

test("a weak replica has its share of an even part of the capacity, and the others divide the rest", () => {
  const weak = { replicas: 3, weakReplica: 2, weakShare: 0.4 } as const;
  const parts = [1, 2, 3].map((number) => capacityPart({ ...TWO, ...weak }, number));
  assert.deepEqual(
    parts.map((part) => part.toFixed(3)),
    ["0.433", "0.133", "0.433"],
  );
  const { clock, seen, ask } = setUp({ capacityBurst: 1, weakReplica: 1, weakShare: 0.5 });
  for (const replica of [1, 1, 2, 2]) ask(`at ${replica}`, { replica });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 at 1 ok", "8 at 2 ok", "75 at 2 ok", "208 at 1 ok"]);
});

test("a change of capacity reaches every replica", () => {
  const { clock, backend, seen, ask } = setUp();
  backend.change({ capacity: 200 });
  for (const id of ["a", "b", "c", "d"]) ask(id);
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "8 b ok", "18 c ok", "18 d ok"]);
});

test("all replicas are counted together, and a side effect is one of all of them", () => {
  const { clock, backend, ask } = setUp();
  for (const replica of [1, 2]) ask("a", { method: "POST", idempotencyKey: "k", replica });
  clock.runUntilIdle();
  const { arrivals, ok, effects, duplicateEffects } = backend.counts();
  assert.deepEqual(
    { arrivals, ok, effects, duplicateEffects },
    { arrivals: 2, ok: 2, effects: 2, duplicateEffects: 1 },
  );
});

test("a key that one replica knows is known to the other", () => {
  const { clock, backend, seen, ask } = setUp({ dedup: "wait" });
  for (const replica of [1, 2]) ask("a", { method: "POST", idempotencyKey: "k", replica });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "8 a ok"]);
  assert.deepEqual([backend.counts().effects, backend.counts().repeated], [1, 1]);
});

test("an order meets the same errors whichever replica serves it", () => {
  const outcomes = (replicas: readonly number[]): string[] => {
    const { clock, seen, ask } = setUp({ errorRate: 0.5, capacity: 1000, capacityBurst: 200 });
    for (const replica of replicas) {
      ask("a", { replica });
      clock.runUntilIdle();
    }
    return seen.map((line) => line.split(" ")[2] ?? "");
  };
  const first = outcomes([1, 1, 1, 1, 1, 1, 1, 1]);
  assert.deepEqual(outcomes([2, 1, 2, 2, 1, 2, 1, 2]), first);
  assert.equal(new Set(first).size, 2);
});

test("the slow replica is slow for every call, the other one for none", () => {
  const { clock, seen, ask } = setUp({ slowReplica: 2, stragglerMs: 500 });
  ask("a", { replica: 1 });
  ask("b", { replica: 2 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "508 b ok"]);
});

test("a replica is slow for as long as the timeline says, and the others never", () => {
  const timeline = [
    { atMs: 1000, change: { stragglerMs: 500 } },
    { atMs: 2000, change: { stragglerMs: 0 } },
  ];
  const { clock, backend, seen, ask } = setUp({ slowReplica: 2, timeline });
  for (const atMs of [0, 1000, 2000]) {
    clock.runUntil(atMs);
    ask(`at${atMs}`, { replica: 2 });
    ask(`other${atMs}`, { replica: 1 });
  }
  clock.runUntilIdle();
  assert.deepEqual(
    seen.filter((line) => line.includes("at")),
    ["8 at0 ok", "1508 at1000 ok", "2008 at2000 ok"],
  );
  assert.deepEqual(
    seen.filter((line) => line.includes("other")),
    ["8 other0 ok", "1008 other1000 ok", "2008 other2000 ok"],
  );
  assert.deepEqual(
    backend.faultsHistory().map(({ atMs, stragglerMs }) => [atMs, stragglerMs]),
    [
      [0, undefined],
      [1000, 500],
      [2000, 0],
    ],
  );
});

/** For each order, the milliseconds that a call of it takes at each of two replicas. */
function timesOf(stragglersBy: "call" | "order"): [number, number][] {
  return Array.from({ length: 60 }, (_, n) => {
    const at = (replica: number): number => {
      const { clock, ask } = setUp({ stragglersBy, stragglerShare: 0.3, stragglerMs: 500 });
      ask(`o${n}`, { replica });
      clock.runUntilIdle();
      return clock.now();
    };
    return [at(1), at(2)];
  });
}

test("stragglers by call are independent at each replica, stragglers by order are the same at all", () => {
  const isSlow = ([one, two]: [number, number]): [boolean, boolean] => [one > 100, two > 100];
  const byCall = timesOf("call").map(isSlow);
  assert.ok(byCall.some(([one, two]) => one !== two));
  const byOrder = timesOf("order").map(isSlow);
  assert.ok(byOrder.every(([one, two]) => one === two));
  assert.ok(byOrder.some(([one]) => one) && byOrder.some(([one]) => !one));
});

/** Replica 1 is busy and has a queue of two; then two tied copies of "t" come, one to each replica. */
function tiedBehindAQueue(changes: Partial<BackendConfig> = {}) {
  const all = setUp(changes);
  for (const id of ["a", "b", "c"]) all.ask(id, { replica: 1 });
  const leaves = [1, 2].map((replica) => all.ask("t", { replica, attempt: replica, tied: 1 }));
  return { ...all, leaves };
}

test("of two tied copies the one that can begin is served, and the other leaves its queue without a token", () => {
  const { clock, backend, seen, ask } = tiedBehindAQueue();
  ask("d", { replica: 1 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["0 t conflict", "8 a ok", "8 t ok", "108 b ok", "208 c ok", "308 d ok"]);
  const { arrivals, ok, left } = backend.counts();
  assert.deepEqual({ arrivals, ok, left }, { arrivals: 6, ok: 5, left: 1 });
});

test("the word to the other replica takes its time: until then the copy waits, and may begin", () => {
  const slow = tiedBehindAQueue({ tieCancelMs: 50 });
  slow.clock.runUntilIdle();
  assert.deepEqual(slow.seen, ["8 a ok", "8 t ok", "50 t conflict", "108 b ok", "208 c ok"]);
  const slower = tiedBehindAQueue({ tieCancelMs: 1000 });
  slower.clock.runUntilIdle();
  assert.equal(slower.seen.filter((line) => line.endsWith("t ok")).length, 2);
});

test("a copy that comes when the other has begun is turned away at once", () => {
  const { clock, seen, ask } = setUp();
  ask("t", { replica: 1, tied: 1 });
  clock.runUntil(3);
  ask("t", { replica: 2, tied: 1, attempt: 2 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["3 t conflict", "8 t ok"]);
});

test("a copy whose caller has left before it began does not take the other one along", () => {
  const { clock, seen, ask } = setUp({ leaveOnDisconnect: true });
  for (const id of ["a", "b"]) for (const replica of [1, 2]) ask(id, { replica });
  const leave = ask("t", { replica: 1, tied: 1 });
  ask("t", { replica: 2, tied: 1, attempt: 2 });
  leave();
  clock.runUntilIdle();
  assert.deepEqual(
    seen.filter((line) => line.includes(" t ")),
    ["208 t ok"],
  );
});

test("copies of another round are no pair, and untied calls of one order are none either", () => {
  const { clock, seen, ask } = setUp();
  ask("t", { replica: 1, tied: 1 });
  ask("t", { replica: 2, tied: 3 });
  ask("u", { replica: 1 });
  ask("u", { replica: 2 });
  clock.runUntilIdle();
  assert.ok(seen.length === 4 && seen.every((line) => line.endsWith("ok")), seen.join());
});
