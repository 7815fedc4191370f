import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../../virtual-time/clock.ts";
import { uniform } from "../../policy/rng.ts";
import { createBackend, type BackendConfig } from "./model.ts";
import type { BackendRequest } from "./request.ts";

/** Ten calls a second, one at once, 8 ms each, without errors and without any defence. */
const PLAIN: BackendConfig = {
  capacity: 10,
  capacityBurst: 1,
  errorRate: 0,
  latencyMs: 8,
  queueLimit: Infinity,
  shedRetryAfterS: 2,
  dropExpired: false,
  leaveOnDisconnect: false,
  timeline: [],
};

/** A backend in virtual time, and what it answered: "<ms> <id> <outcome>". */
function setUp(changes: Partial<BackendConfig> = {}, seed = 1) {
  const clock = new VirtualClock();
  const backend = createBackend({ ...PLAIN, ...changes }, clock, seed);
  backend.begin(seed);
  const seen: string[] = [];
  const ask = (id: string, request: Partial<BackendRequest> = {}) =>
    backend.serve({ id, method: "GET", ...request }, ({ outcome }) => {
      seen.push(`${Math.round(clock.now())} ${id} ${outcome}`);
    });
  return { clock, backend, seen, ask };
}

test("calls wait for a token in the order of their arrival", () => {
  const { clock, seen, ask } = setUp();
  for (const id of ["a", "b", "c"]) ask(id);
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "108 b ok", "208 c ok"]);
});

test("who arrives in the very moment at which a token is there does not pass those who wait", () => {
  const { clock, seen, ask } = setUp();
  clock.after(100, () => ask("late"));
  ask("a");
  ask("b");
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "108 b ok", "208 late ok"]);
});

test("a burst passes at once, and is a tenth of the capacity unless it is set", () => {
  const { clock, seen, ask } = setUp({ capacity: 30, capacityBurst: undefined });
  for (const id of ["a", "b", "c", "d"]) ask(id);
  clock.runUntil(8);
  assert.deepEqual(seen, ["8 a ok", "8 b ok", "8 c ok"]);
});

test("a caller who has gone keeps its place, and its token is wasted", () => {
  const { clock, backend, seen, ask } = setUp();
  ask("a");
  const leave = ask("b");
  ask("c");
  clock.runUntil(50);
  leave();
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "208 c ok"]);
  const { ok, wasted, left } = backend.counts();
  assert.deepEqual({ ok, wasted, left }, { ok: 3, wasted: 1, left: 0 });
});

test("with leaveOnDisconnect a caller who has gone gives its token to the next", () => {
  const { clock, backend, seen, ask } = setUp({ leaveOnDisconnect: true });
  ask("a");
  const leave = ask("b");
  ask("c");
  clock.runUntil(50);
  leave();
  leave();
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "108 c ok"]);
  const { ok, wasted, left, waiting } = backend.counts();
  assert.deepEqual({ ok, wasted, left, waiting }, { ok: 2, wasted: 0, left: 1, waiting: 0 });
});

test("a caller who leaves while being served is too late to save the work", () => {
  const { clock, backend, ask } = setUp({ leaveOnDisconnect: true });
  const leave = ask("a");
  clock.runUntil(4);
  leave();
  clock.runUntilIdle();
  const { ok, wasted, left } = backend.counts();
  assert.deepEqual({ ok, wasted, left }, { ok: 1, wasted: 1, left: 0 });
});

test("a full queue sheds at once, with 503 and the time to stay away", () => {
  const { clock, backend, ask } = setUp({ queueLimit: 2 });
  for (const id of ["served", "first", "second"]) ask(id);
  const replies: unknown[] = [];
  backend.serve({ id: "third", method: "GET" }, (reply) => replies.push(reply));
  assert.deepEqual(replies, [{ outcome: "shed", status: 503, retryAfterS: 2 }]);
  clock.runUntilIdle();
  const { ok, shed, longestQueue } = backend.counts();
  assert.deepEqual({ ok, shed, longestQueue }, { ok: 3, shed: 1, longestQueue: 2 });
});

test("a queue of none serves or sheds", () => {
  const { clock, seen, ask } = setUp({ queueLimit: 0 });
  ask("a");
  ask("b");
  clock.runUntilIdle();
  assert.deepEqual(seen, ["0 b shed", "8 a ok"]);
});

test("with dropExpired a deadline that passed in the queue costs no token", () => {
  const { clock, backend, seen, ask } = setUp({ dropExpired: true });
  ask("a");
  ask("b", { remainingMs: 50 });
  ask("c");
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "100 b expired", "108 c ok"]);
  assert.equal(backend.counts().expired, 1);
});

test("with dropLate a call that could not be answered by its deadline any more costs no token", () => {
  const late = (dropLate: boolean): string[] => {
    const { clock, seen, ask } = setUp({ dropLate });
    ask("a");
    // Its turn comes after 100 ms, and the one before it has taken 8 ms.
    ask("b", { remainingMs: 107 });
    ask("c");
    clock.runUntilIdle();
    return seen;
  };
  assert.deepEqual(late(true), ["8 a ok", "100 b expired", "108 c ok"]);
  assert.deepEqual(late(false), ["8 a ok", "108 b ok", "208 c ok"]);
});

test("without dropExpired a deadline that passed in the queue is served all the same", () => {
  const { clock, seen, ask } = setUp();
  ask("a");
  ask("b", { remainingMs: 50 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "108 b ok"]);
});

test("a call that arrives with a spent deadline is never worked on", () => {
  for (const remainingMs of [0, -3]) {
    const { clock, backend, seen, ask } = setUp();
    ask("late", { remainingMs });
    ask("a");
    clock.runUntilIdle();
    assert.deepEqual(seen, ["0 late expired", "8 a ok"]);
    assert.equal(backend.counts().expired, 1);
  }
});

test("the timeline changes what it names at its time, counted from the beginning of the run", () => {
  const timeline = [
    { atMs: 1000, change: { errorRate: 1 } },
    { atMs: 2000, change: { errorRate: 0, latencyMs: 20 } },
  ];
  const { clock, backend, seen, ask } = setUp({ timeline });
  clock.runUntil(500);
  backend.begin(1);
  for (const at of [1400, 1600, 2600]) {
    clock.runUntil(at);
    ask(`at${at}`);
  }
  clock.runUntilIdle();
  assert.deepEqual(seen, ["1408 at1400 ok", "1608 at1600 failed", "2620 at2600 ok"]);
  assert.deepEqual(backend.faultsHistory(), [
    { atMs: 0, capacity: 10, errorRate: 0, latencyMs: 8 },
    { atMs: 1000, capacity: 10, errorRate: 1, latencyMs: 8 },
    { atMs: 2000, capacity: 10, errorRate: 0, latencyMs: 20 },
  ]);
});

test("a higher capacity helps those who wait already", () => {
  const { clock, backend, seen, ask } = setUp({ capacity: 0.1 });
  for (const id of ["a", "b", "c"]) ask(id);
  clock.runUntil(1000);
  backend.change({ capacity: 10 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "1098 b ok", "1198 c ok"]);
});

test("a lower capacity holds for those who wait already", () => {
  const { clock, backend, seen, ask } = setUp();
  for (const id of ["a", "b"]) ask(id);
  clock.runUntil(50);
  backend.change({ capacity: 1 });
  clock.runUntilIdle();
  assert.deepEqual(seen, ["8 a ok", "558 b ok"]);
});

test("a new run has counters at zero, a full bucket, the first faults and the same random numbers again", () => {
  const { clock, backend, seen, ask } = setUp({ errorRate: 0.5, capacity: 1000, capacityBurst: 40 });
  const runOnce = (): string[] => {
    seen.length = 0;
    for (let i = 0; i < 40; i += 1) ask(`order-${i}`, { method: "POST" });
    clock.runUntilIdle();
    return seen.map((line) => line.slice(line.indexOf(" ")));
  };
  const first = runOnce();
  const counts = backend.counts();
  backend.change({ errorRate: 0 });
  backend.begin(1);
  assert.deepEqual(backend.counts(), { ...counts, arrivals: 0, ok: 0, failed: 0, effects: 0, tokens: 40 });
  assert.deepEqual(runOnce(), first);
  backend.begin(2);
  assert.notDeepEqual(runOnce(), first);
});

test("the history of faults is bounded", () => {
  const { backend } = setUp();
  for (let i = 1; i < 3000; i += 1) backend.change({ latencyMs: i });
  assert.equal(backend.faultsHistory().length, 1000);
  assert.equal(backend.faults().latencyMs, 2999);
});

test("callers who come and go behind one who waits do not fill the memory", () => {
  const { backend, ask } = setUp({ capacity: 0.001, leaveOnDisconnect: true });
  ask("served");
  ask("waits");
  for (let i = 0; i < 200_000; i += 1) ask(`gone-${i}`)();
  const { waiting, left, shed } = backend.counts();
  assert.deepEqual({ waiting, left, shed }, { waiting: 1, left: 200_000, shed: 0 });
});

test("a write has one effect when it succeeds and none when it fails, and a read has none", () => {
  const { clock, backend, ask } = setUp({ capacity: 1000, capacityBurst: 100 });
  ask("read");
  ask("write", { method: "POST" });
  clock.runUntilIdle();
  backend.change({ errorRate: 1 });
  ask("unlucky", { method: "POST" });
  clock.runUntilIdle();
  const { effects, duplicateEffects } = backend.counts();
  assert.deepEqual({ effects, duplicateEffects }, { effects: 1, duplicateEffects: 0 });
});

test("a write that is done twice for one intention is a duplicate, by its key or else by its id", () => {
  const { clock, backend, ask } = setUp({ capacity: 1000, capacityBurst: 100 });
  ask("a", { method: "POST", idempotencyKey: "k1" });
  ask("b", { method: "POST", idempotencyKey: "k1" });
  ask("c", { method: "POST" });
  ask("c", { method: "POST" });
  ask("d", { method: "POST", idempotencyKey: "k2" });
  clock.runUntilIdle();
  const { effects, duplicateEffects } = backend.counts();
  assert.deepEqual({ effects, duplicateEffects }, { effects: 5, duplicateEffects: 2 });
});

test("an order's n-th call meets the same faults whatever else is called, and in whatever order", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const outcomesOf = (calls: readonly string[]): Map<string, string[]> => {
    const { clock, seen, ask } = setUp({ errorRate: 0.5, capacity: 1000, capacityBurst: 1000 }, 7);
    for (const id of calls) {
      ask(id);
      clock.runUntilIdle();
    }
    const outcomes = new Map<string, string[]>();
    for (const line of seen) {
      const [, id = "", outcome = ""] = line.split(" ");
      outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
    }
    return outcomes;
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ids), { maxLength: 60 }), (calls) => {
      for (const [id, outcomes] of outcomesOf(calls)) {
        const expected = outcomes.map((_, n) => (uniform(7, id, n) < 0.5 ? "failed" : "ok"));
        assert.deepEqual(outcomes, expected);
      }
    }),
  );
});

test("errors come about as often as the error rate says", () => {
  const { clock, backend, ask } = setUp({ errorRate: 0.4, capacity: 100_000, capacityBurst: 20_000 });
  for (let i = 0; i < 20_000; i += 1) ask(`order-${i}`);
  clock.runUntilIdle();
  const share = backend.counts().failed / 20_000;
  assert.ok(Math.abs(share - 0.4) < 0.015, `${share} of the calls failed`);
});

test("a call that its caller has left counts as abandoned until it is served for nobody", () => {
  const { clock, backend, ask } = setUp();
  ask("a");
  const leaves = [ask("b"), ask("c")];
  const told = (): readonly number[] => {
    const { wasted, abandoned, waiting } = backend.counts();
    return [wasted, abandoned, waiting];
  };
  for (const leave of leaves) leave();
  assert.deepEqual(told(), [0, 2, 2]);
  clock.runUntil(109);
  assert.deepEqual(told(), [1, 1, 1]);
  clock.runUntilIdle();
  assert.deepEqual(told(), [2, 0, 0]);
});

test("a run begins with an empty backend: what an earlier one has left there is neither served nor counted", () => {
  const { clock, backend, seen, ask } = setUp();
  for (const id of ["a", "b", "c"]) ask(id)();
  backend.begin(2);
  assert.deepEqual([backend.counts().waiting, backend.counts().serving], [0, 0]);
  ask("new");
  clock.runUntilIdle();
  const { arrivals, ok, wasted, serving } = backend.counts();
  assert.deepEqual([seen, arrivals, ok, wasted, serving], [["8 new ok"], 1, 1, 0, 0]);
});

/** One thing that happens to the backend, a while after the one before it. */
const happening = fc.record({
  waitMs: fc.double({ min: 0, max: 60, noNaN: true }),
  what: fc.constantFrom("call", "call", "call", "deadline", "leave", "change", "begin"),
  number: fc.integer({ min: 1, max: 200 }),
});

const anyConfig = fc.record({
  queueLimit: fc.constantFrom(0, 3, Infinity),
  dropExpired: fc.boolean(),
  leaveOnDisconnect: fc.boolean(),
  errorRate: fc.constantFrom(0, 0.4, 1),
  capacityBurst: fc.constantFrom(1, 5),
});

test("whatever happens, each call is counted once, and no more is served than capacity · time + burst", () => {
  fc.assert(
    fc.property(anyConfig, fc.array(happening, { maxLength: 150 }), (config, happenings) => {
      const { clock, backend, ask } = setUp(config);
      const leaves: (() => void)[] = [];
      let allowed = config.capacityBurst;
      const check = (): void => {
        const { arrivals, ok, failed, shed, expired, left, waiting, serving, wasted, abandoned } = backend.counts();
        assert.equal(ok + failed + shed + expired + left + waiting + serving, arrivals);
        assert.ok(waiting >= 0 && serving >= 0 && wasted <= ok + failed);
        assert.ok(abandoned >= 0 && abandoned <= waiting + serving, `${abandoned} of ${waiting} + ${serving}`);
        assert.ok(waiting <= config.queueLimit);
        assert.ok(ok + failed + serving <= allowed + 1e-3, `${ok + failed + serving} of ${allowed}`);
      };
      happenings.forEach(({ waitMs, what, number }, i) => {
        allowed += (backend.faults().capacity * waitMs) / 1000;
        clock.runUntil(clock.now() + waitMs);
        if (what === "call") leaves.push(ask(`c${i}`));
        else if (what === "deadline") leaves.push(ask(`c${i}`, { remainingMs: number - 10 }));
        else if (what === "leave") leaves[number % Math.max(1, leaves.length)]?.();
        else if (what === "change") backend.change({ capacity: number });
        else {
          backend.begin(number);
          allowed = config.capacityBurst;
        }
        check();
      });
      clock.runUntilIdle();
      assert.equal(backend.counts().waiting + backend.counts().serving, 0);
    }),
  );
});

test("every caller is answered exactly once, unless it left before", () => {
  fc.assert(
    fc.property(anyConfig, fc.array(happening, { maxLength: 100 }), (config, happenings) => {
      const { clock, backend } = setUp(config);
      const answers: number[] = [];
      const hasLeft: boolean[] = [];
      const leaves: (() => void)[] = [];
      for (const { waitMs, what, number } of happenings) {
        clock.runUntil(clock.now() + waitMs);
        if (what === "leave" && leaves.length > 0) {
          const who = number % leaves.length;
          leaves[who]?.();
          hasLeft[who] ||= answers[who] === 0;
        } else if (what !== "leave" && what !== "change") {
          const who = answers.push(0) - 1;
          hasLeft.push(false);
          leaves.push(
            backend.serve(
              { id: `c${who}`, method: "GET", remainingMs: what === "deadline" ? number : undefined },
              () => {
                answers[who] = (answers[who] ?? 0) + 1;
              },
            ),
          );
        }
      }
      clock.runUntilIdle();
      assert.deepEqual(
        answers,
        hasLeft.map((left) => (left ? 0 : 1)),
      );
    }),
  );
});
