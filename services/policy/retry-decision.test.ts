import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unlimited, type Budget } from "./budget/budget.ts";
import { decide, forbidsRetryAbove, type Situation } from "./retry-decision.ts";
import { seededRng } from "./rng.ts";
import { OUTCOMES, STOP_REASONS, type Reply, type StopReason } from "./outcome.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { backoffWith, policyWith } from "./testdata/policies.ts";

const noLuck = (): number => 0;

function after(reply: Partial<Reply>, changes: Partial<Situation> = {}): Situation {
  return {
    reply: { outcome: "failed", status: 500, ...reply },
    attempts: 1,
    replayable: true,
    breakerClosed: true,
    now: 0,
    deadline: Infinity,
    previousDelayMs: 0,
    ...changes,
  };
}

/** A budget that counts how often it was asked. */
function askedBudget(grants: boolean): Budget & { asked: number } {
  return {
    asked: 0,
    deposit: () => {},
    tryWithdraw() {
      this.asked += 1;
      return grants;
    },
    balance: () => (grants ? 1 : 0),
  };
}

interface Gate {
  readonly why: string;
  readonly reason: StopReason;
  readonly shut: { policy?: Partial<RetryPolicy>; situation?: Partial<Situation>; reply?: Partial<Reply> };
}

/** The gates in their order: each is shut by what stands beside it. */
const gates: Gate[] = [
  { why: "the outcome cannot end better", reason: "not_retryable", shut: { reply: { outcome: "rejected" } } },
  { why: "the write has no key", reason: "not_replayable", shut: { situation: { replayable: false } } },
  { why: "another hop owns the retries", reason: "not_retry_owner", shut: { policy: { retryOwner: false } } },
  { why: "no attempt is left", reason: "attempts_exhausted", shut: { policy: { maxAttempts: 1 } } },
  { why: "the breaker is open", reason: "breaker_open", shut: { situation: { breakerClosed: false } } },
  {
    why: "the callee asked for no retry",
    reason: "overloaded_upstream",
    shut: { reply: { doNotRetry: true } },
  },
  {
    why: "the wait does not fit the deadline",
    reason: "deadline_too_near",
    shut: { situation: { deadline: 10 } },
  },
];

gates.forEach((gate, i) => {
  test(`where ${gate.why}, the answer is ${gate.reason}, whatever the later gates would say`, () => {
    for (let shutFrom = gates.length - 1; shutFrom >= i; shutFrom -= 1) {
      const shut = [gate, ...gates.slice(shutFrom)].map((each) => each.shut);
      const policy = policyWith(Object.assign({}, ...shut.map((each) => each.policy)));
      const reply: Partial<Reply> = Object.assign({}, ...shut.map((each) => each.reply).toReversed());
      const situation = after(reply, Object.assign({}, ...shut.map((each) => each.situation)));
      const budget = askedBudget(false);
      assert.deepEqual(decide(policy, situation, budget, noLuck), { retry: false, reason: gate.reason });
      assert.equal(budget.asked, 0, "the budget was asked although an earlier gate refused");
    }
  });
});

test("the budget is asked last and once, and its refusal is the reason", () => {
  const refusing = askedBudget(false);
  assert.deepEqual(decide(policyWith({}), after({}), refusing, noLuck), {
    retry: false,
    reason: "budget_exhausted",
  });
  assert.equal(refusing.asked, 1);
  const granting = askedBudget(true);
  assert.deepEqual(decide(policyWith({}), after({}), granting, noLuck), { retry: true, delayMs: 10 });
  assert.equal(granting.asked, 1);
});

const endings: [Reply["outcome"], StopReason][] = [
  ["ok", "success"],
  ["rejected", "not_retryable"],
  ["cancelled", "not_retryable"],
  ["deadline", "deadline_too_near"],
];
for (const [outcome, reason] of endings) {
  test(`an attempt that ended with ${outcome} is the last one, because of ${reason}`, () => {
    assert.deepEqual(decide(policyWith({}), after({ outcome }), unlimited, noLuck), { retry: false, reason });
  });
}

test("a lost connection is a failure like any other, and is retried", () => {
  const decision = decide(policyWith({}), after({ status: 0, sent: false }), unlimited, noLuck);
  assert.deepEqual(decision, { retry: true, delayMs: 10 });
});

test("attempts never exceed the most, and the last allowed one is not lost", () => {
  const policy = policyWith({ maxAttempts: 3 });
  assert.equal(decide(policy, after({}, { attempts: 2 }), unlimited, noLuck).retry, true);
  assert.equal(decide(policy, after({}, { attempts: 3 }), unlimited, noLuck).retry, false);
});

test("the first retry waits the base, the second twice as long", () => {
  const policy = policyWith({ backoff: backoffWith({ kind: "exponential", baseMs: 25 }) });
  assert.deepEqual(decide(policy, after({}, { attempts: 1 }), unlimited, noLuck), {
    retry: true,
    delayMs: 25,
  });
  assert.deepEqual(decide(policy, after({}, { attempts: 2 }), unlimited, noLuck), {
    retry: true,
    delayMs: 50,
  });
});

test("a retry that would begin at the deadline, or too near to it for a useful attempt, is not made", () => {
  const policy = policyWith({ minAttemptMs: 5 });
  const at = (deadline: number) => decide(policy, after({}, { now: 100, deadline }), unlimited, noLuck);
  assert.deepEqual(at(115), { retry: false, reason: "deadline_too_near" });
  assert.deepEqual(at(115.5), { retry: true, delayMs: 10 });
});

test("an overloaded callee is left alone, unless the policy retries after the time asked for or listens to nothing", () => {
  const shed = after({ outcome: "overloaded", status: 503, retryAfterMs: 1000 });
  assert.deepEqual(decide(policyWith({}), shed, unlimited, noLuck), {
    retry: false,
    reason: "overloaded_upstream",
  });
  const deaf = policyWith({ respectRetryAfter: false });
  assert.deepEqual(decide(deaf, shed, unlimited, noLuck), { retry: true, delayMs: 10 });
  assert.equal(decide(policyWith({ overloadRetry: true }), shed, unlimited, noLuck).retry, true);
});

test("x-retry-ok: 0 stops the retries here, unless the policy does not listen to it", () => {
  const marked = after({ doNotRetry: true });
  assert.equal(decide(policyWith({}), marked, unlimited, noLuck).retry, false);
  assert.equal(decide(policyWith({ respectRetryOk: false }), marked, unlimited, noLuck).retry, true);
});

// Case 9 of docs/cases.md.
test("nobody comes back before the time that the callee asked for", () => {
  const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(uniform, fc.nat(120_000), fc.integer({ min: 1, max: 20 }), (u, retryAfterMs, attempts) => {
      const policy = policyWith({
        overloadRetry: true,
        maxAttempts: 50,
        backoff: backoffWith({ kind: "full" }),
      });
      const situation = after({ outcome: "overloaded", status: 503, retryAfterMs }, { attempts });
      const decision = decide(policy, situation, unlimited, () => u);
      assert.ok(decision.retry && decision.delayMs >= retryAfterMs);
    }),
  );
});

for (const kind of ["none", "fixed", "exponential", "full"] as const) {
  // Case 9 of docs/cases.md.
  test(`a crowd that was sent away for the same second comes back spread over half a second, also with ${kind} backoff`, () => {
    const policy = policyWith({ overloadRetry: true, backoff: backoffWith({ kind }) });
    const situation = after({ outcome: "overloaded", status: 503, retryAfterMs: 1000 });
    const waits = Array.from({ length: 200 }, (_, i) => {
      const decision = decide(policy, situation, unlimited, seededRng(1, `order-${i}`));
      return decision.retry ? decision.delayMs : assert.fail("no retry");
    });
    assert.ok(Math.min(...waits) >= 1000 && Math.max(...waits) <= 1510 + 10, `${Math.max(...waits)}`);
    const perTenth = waits.map((wait) => Math.floor((wait - 1000) / 50));
    const largest = Math.max(...Array.from({ length: 11 }, (_, i) => perTenth.filter((each) => each === i).length));
    assert.ok(largest < 50, `${largest} of 200 come back in the same 50 ms`);
  });
}

// Case 8 of docs/cases.md.
test("Retry-After: 0 is a time and not an absent one: it spreads the callers, where without it a fixed wait does not", () => {
  const policy = policyWith({ overloadRetry: true });
  const waitOf = (retryAfterMs: number | undefined) =>
    decide(policy, after({ outcome: "overloaded", status: 503, retryAfterMs }), unlimited, () => 0.5);
  assert.deepEqual(waitOf(0), { retry: true, delayMs: 15 });
  assert.deepEqual(waitOf(undefined), { retry: true, delayMs: 10 });
});

test("a Retry-After that does not fit the deadline ends the call, one longer than anybody waits does so without one", () => {
  const policy = policyWith({ overloadRetry: true });
  const stopOf = (retryAfterMs: number, deadline: number) =>
    decide(policy, after({ outcome: "overloaded", status: 503, retryAfterMs }, { deadline }), unlimited, noLuck);
  assert.deepEqual(stopOf(1000, 900), { retry: false, reason: "deadline_too_near" });
  assert.deepEqual(stopOf(1e15, Infinity), { retry: false, reason: "overloaded_upstream" });
  assert.deepEqual(stopOf(Infinity, Infinity), { retry: false, reason: "overloaded_upstream" });
  assert.equal(stopOf(300_000, Infinity).retry, true);
});

test("a policy that does not respect Retry-After comes back at its own time", () => {
  const policy = policyWith({ respectRetryAfter: false });
  const shed = after({ outcome: "overloaded", status: 503, retryAfterMs: 1000 });
  assert.deepEqual(decide(policy, shed, unlimited, noLuck), { retry: true, delayMs: 10 });
});

test("what was refused here for the sake of the callee must not be asked again from above", () => {
  assert.deepEqual(STOP_REASONS.filter(forbidsRetryAbove), [
    "breaker_open",
    "overloaded_upstream",
    "deadline_too_near",
    "budget_exhausted",
  ]);
});

test("every outcome leads to a decision, and only a granted retry asks the budget", () => {
  fc.assert(
    fc.property(fc.constantFrom(...OUTCOMES), fc.boolean(), fc.nat(5), (outcome, grants, attempts) => {
      const budget = askedBudget(grants);
      const decision = decide(policyWith({}), after({ outcome }, { attempts }), budget, noLuck);
      if (decision.retry) assert.equal(budget.asked, 1);
      else assert.equal(budget.asked, decision.reason === "budget_exhausted" ? 1 : 0);
    }),
  );
});

test("a shed reply of one replica is retried at once at another that has not shed, and paid for like any retry", () => {
  const shed: Reply = { outcome: "overloaded", status: 503, retryAfterMs: 5000 };
  const at = (elsewhere: boolean, budget: Budget, changes: Partial<RetryPolicy> = {}) =>
    decide(policyWith(changes), after(shed, { elsewhere }), budget, noLuck);
  assert.deepEqual(at(true, unlimited), { retry: true, delayMs: 0 });
  assert.deepEqual(at(false, unlimited), { retry: false, reason: "overloaded_upstream" });
  assert.deepEqual(at(true, askedBudget(false)), { retry: false, reason: "budget_exhausted" });
  assert.deepEqual(at(true, unlimited, { respectRetryAfter: false }), { retry: true, delayMs: 10 });
});

const ASKED: Partial<Reply> = { outcome: "overloaded", status: 503, retryAfterMs: 2000 };

for (const [retryAfterWait, askedMs, waitMs] of [
  ["exact", 2000, 2000],
  ["exact", 0, 0],
  ["least", 2000, 2000],
  ["least", 10, 100],
  ["clamped", 2000, 2000],
  ["clamped", 10, 100],
  ["clamped", 60_000, 5100],
] as const) {
  test(`asked to wait ${askedMs} ms, a caller whose backoff is 100 ms and whose rule is "${retryAfterWait}" waits ${waitMs} ms`, () => {
    const policy = policyWith({ overloadRetry: true, retryAfterWait, backoff: backoffWith({ baseMs: 100 }) });
    const situation = after({ ...ASKED, retryAfterMs: askedMs });
    assert.deepEqual(decide(policy, situation, unlimited, noLuck), { retry: true, delayMs: waitMs });
  });
}

test("after 429 the backoff may begin at a base of its own, and only then", () => {
  const policy = policyWith({ overloadRetry: true, backoff: backoffWith({ baseMs: 50, base429Ms: 1000 }) });
  const waits = [429, 503].map((status) => {
    const decision = decide(policy, after({ outcome: "overloaded", status }), unlimited, noLuck);
    return decision.retry ? decision.delayMs : undefined;
  });
  assert.deepEqual(waits, [1000, 50]);
});

test("what is not on the list of the policy is not retried", () => {
  const policy = policyWith({ retryOn: ["connect"] });
  const stopped = decide(policy, after({ status: 500 }), unlimited, noLuck);
  assert.deepEqual(stopped, { retry: false, reason: "not_retryable" });
  assert.equal(decide(policy, after({ status: 0, sent: false }), unlimited, noLuck).retry, true);
});

test("the budget is told which answer the retry follows", () => {
  let told: Reply | undefined;
  const budget: Budget = {
    deposit: () => {},
    tryWithdraw: (_now, reply) => {
      told = reply;
      return true;
    },
    balance: () => 1,
  };
  const situation = after({ status: 502 });
  decide(policyWith({}), situation, budget, noLuck);
  assert.equal(told, situation.reply);
});
