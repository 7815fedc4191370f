import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  admits,
  CLOSED,
  step,
  verdictOf,
  type BreakerEvent,
  type BreakerPolicy,
  type BreakerState,
  type CallVerdict,
} from "./breaker.ts";
import { seededRng } from "../rng.ts";
import type { Reply } from "../outcome.ts";

const policy: BreakerPolicy = { rule: { kind: "consecutive", failures: 2 }, coolOffMs: 1000, probes: 3 };
const noLuck = (): number => 0;
const BEGUN: BreakerEvent = { kind: "begun" };

function ended(state: BreakerState, verdict: CallVerdict): BreakerEvent {
  return { kind: "ended", round: state.round, verdict };
}

/** An open breaker, opened at 0. */
function opened(rng = noLuck): BreakerState {
  let state: BreakerState = CLOSED;
  for (let i = 0; i < 2; i += 1) state = step(policy, state, ended(state, "failure"), 0, rng);
  return state;
}

test("failures open a closed breaker, and it admits nothing until the cool-off is over", () => {
  const state = opened();
  assert.deepEqual(state, { kind: "open", round: 1, untilMs: 1000 });
  assert.equal(admits(state, 999), false);
  assert.equal(admits(state, 1000), true);
});

test("the cool-off is never shorter than asked, at most half longer, and not the same for everybody", () => {
  const rng = seededRng(3, "cool-off");
  const ends = Array.from({ length: 100 }, () => {
    const state = opened(rng);
    assert.ok(state.kind === "open" && state.untilMs >= 1000 && state.untilMs < 1500);
    return state.untilMs;
  });
  assert.ok(new Set(ends).size > 90);
});

// Case 11 of docs/cases.md.
test("half-open admits exactly as many probes as it was given, the rest fail fast", () => {
  let state = opened();
  let admitted = 0;
  for (let i = 0; i < 100; i += 1) {
    if (!admits(state, 1200)) continue;
    admitted += 1;
    state = step(policy, state, BEGUN, 1200, noLuck);
  }
  assert.equal(admitted, 3);
  assert.equal(state.kind, "half-open");
});

test("half-open closes once every probe has succeeded, and not before", () => {
  let state = opened();
  for (let i = 0; i < 3; i += 1) state = step(policy, state, BEGUN, 1000, noLuck);
  const kinds: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    state = step(policy, state, ended(state, "success"), 1010, noLuck);
    kinds.push(state.kind);
  }
  assert.deepEqual(kinds, ["half-open", "half-open", "closed"]);
  state = step(policy, state, ended(state, "failure"), 1020, noLuck);
  assert.equal(state.kind, "closed", "old failures are forgotten");
});

test("one failed probe opens the breaker again, for a whole cool-off", () => {
  let state = step(policy, opened(), BEGUN, 1000, noLuck);
  state = step(policy, state, ended(state, "failure"), 1300, noLuck);
  assert.deepEqual(state, { kind: "open", round: 3, untilMs: 2300 });
});

test("a shed probe proves nothing: another may take its place", () => {
  let state = opened();
  for (let i = 0; i < 3; i += 1) state = step(policy, state, BEGUN, 1000, noLuck);
  assert.equal(admits(state, 1100), false);
  state = step(policy, state, ended(state, "neither"), 1100, noLuck);
  assert.equal(state.kind, "half-open");
  assert.equal(admits(state, 1100), true);
});

test("probes that never come back do not lock the callee out for ever", () => {
  let state = opened();
  for (let i = 0; i < 3; i += 1) state = step(policy, state, BEGUN, 1000, noLuck);
  assert.equal(admits(state, 1999), false);
  assert.equal(admits(state, 2000), true);
  const before = state;
  state = step(policy, state, BEGUN, 2000, noLuck);
  assert.equal(
    step(policy, state, ended(before, "failure"), 2100, noLuck),
    state,
    "a lost probe comes too late to count",
  );
});

test("probes that take longer than the cool-off still close the breaker, and one that failed takes the others' word back", () => {
  let state = opened();
  for (let i = 0; i < 3; i += 1) state = step(policy, state, BEGUN, 1000, noLuck);
  const first = state.round;
  for (let i = 0; i < 3; i += 1) state = step(policy, state, BEGUN, 2000, noLuck);
  const late = (verdict: CallVerdict): BreakerEvent => ({ kind: "ended", round: first, verdict });
  const two = [late("success"), late("success")].reduce((s, e) => step(policy, s, e, 2200, noLuck), state);
  assert.equal(step(policy, two, late("success"), 2200, noLuck).kind, "closed");
  const again = step(policy, two, late("failure"), 2200, noLuck);
  assert.deepEqual(again, state, "three have to succeed anew");
  assert.equal(step(policy, again, ended(again, "failure"), 2300, noLuck).kind, "open");
});

/** Calls every 10 ms through one breaker, each taking `latencyMs`; those begun before `mendedMs` fail. */
function closesAt(p: BreakerPolicy, latencyMs: number, mendedMs: number, seed: number): number {
  const rng = seededRng(seed, "cool-off");
  const under: { readonly endsMs: number; readonly round: number; readonly verdict: CallVerdict }[] = [];
  let state: BreakerState = CLOSED;
  for (let now = 0; now < 1e6; now += 10) {
    for (let next = under[0]; next !== undefined && next.endsMs <= now; next = under[0]) {
      under.shift();
      state = step(p, state, { kind: "ended", round: next.round, verdict: next.verdict }, next.endsMs, rng);
    }
    if (now > mendedMs && state.kind === "closed") return now;
    if (!admits(state, now)) continue;
    state = step(p, state, BEGUN, now, rng);
    under.push({
      endsMs: now + latencyMs,
      round: state.round,
      verdict: now < mendedMs ? "failure" : "success",
    });
  }
  return Infinity;
}

test("a callee that has mended is served again after at most two latencies and one and a half cool-offs, however slow it is", () => {
  const ms = fc.integer({ min: 20, max: 5000 });
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: 1, max: 5 }), fc.nat(1000), (latencyMs, coolOffMs, probes, seed) => {
      const mendedMs = 3 * (latencyMs + coolOffMs) + seed;
      const took = closesAt({ ...policy, coolOffMs, probes }, latencyMs, mendedMs, seed) - mendedMs;
      // Calls come every 10 ms, so each of the probes may begin that much later.
      const bound = 2 * latencyMs + 1.5 * coolOffMs + 10 * (probes + 3);
      assert.ok(took <= bound, `closed after ${took} ms, at most ${bound}`);
    }),
  );
});

test("what was begun before the breaker opened says nothing about the probes", () => {
  const old = ended(CLOSED, "failure");
  const halfOpen = step(policy, opened(), BEGUN, 1000, noLuck);
  assert.equal(step(policy, halfOpen, old, 1010, noLuck), halfOpen);
  assert.equal(step(policy, halfOpen, ended(CLOSED, "success"), 1010, noLuck), halfOpen);
});

const verdicts: [string, Reply, CallVerdict][] = [
  ["an answer", { outcome: "ok", status: 200 }, "success"],
  ["a refusal of the caller's own fault", { outcome: "rejected", status: 404 }, "success"],
  ["an error", { outcome: "failed", status: 500 }, "failure"],
  ["a lost connection", { outcome: "failed", status: 0, sent: false }, "failure"],
  ["a timeout", { outcome: "timeout", status: 504 }, "failure"],
  ["an attempt that the deadline cut off", { outcome: "deadline", status: 504 }, "failure"],
  ["a caller who left", { outcome: "cancelled", status: 499 }, "neither"],
  ["a shed 503 with Retry-After", { outcome: "overloaded", status: 503, retryAfterMs: 1000 }, "neither"],
  ["a shed 503 with Retry-After: 0", { outcome: "overloaded", status: 503, retryAfterMs: 0 }, "neither"],
  ["a 503 with x-retry-ok: 0", { outcome: "overloaded", status: 503, doNotRetry: true }, "neither"],
  ["a 429", { outcome: "overloaded", status: 429 }, "neither"],
  ["a bare 503", { outcome: "overloaded", status: 503 }, "failure"],
];
for (const [what, reply, verdict] of verdicts) {
  test(`${what} counts as ${verdict} for the breaker`, () => assert.equal(verdictOf(reply), verdict));
}

test("whatever happens, half-open never has more probes out than it was given, and open admits nothing in its cool-off", () => {
  const event = fc.record({
    waitMs: fc.nat(400),
    what: fc.constantFrom<"call" | CallVerdict>("call", "call", "success", "failure", "failure", "neither"),
    which: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200, size: "max" }), fc.integer({ min: 1, max: 4 }), (events, probes) => {
      const p: BreakerPolicy = { ...policy, probes };
      let [state, now]: [BreakerState, number] = [CLOSED, 0];
      const out: number[] = [];
      for (const { waitMs, what, which } of events) {
        now += waitMs;
        if (what === "call") {
          if (!admits(state, now)) continue;
          assert.ok(state.kind !== "open" || now >= state.untilMs);
          state = step(p, state, BEGUN, now, noLuck);
          out.push(state.round);
        } else if (out.length > 0) {
          const [round = 0] = out.splice(which % out.length, 1);
          const before = state;
          state = step(p, state, { kind: "ended", round, verdict: what }, now, noLuck);
          const from = before.kind === "half-open" ? before.since : before.round;
          assert.ok(round >= from || state === before, "a stale result changed something");
          assert.ok(state.round >= before.round);
        }
        const current = state.round;
        if (state.kind === "half-open") assert.ok(out.filter((round) => round === current).length <= probes);
      }
    }),
  );
});
