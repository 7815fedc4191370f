/** Policies for tests: one plain base, and what the test is about on top of it. */
import type { BackoffPolicy } from "../backoff.ts";
import type { BudgetPolicy } from "../budget/budget.ts";
import type { RetryPolicy } from "../retry-policy.ts";

export function backoffWith(changes: Partial<BackoffPolicy>): BackoffPolicy {
  return { kind: "fixed", baseMs: 10, capMs: 1000, ...changes };
}

export function budgetWith(changes: Partial<BudgetPolicy>): BudgetPolicy {
  return { kind: "token-bucket", ratio: 0.2, burst: 10, start: 0, minPerSecond: 0, ...changes };
}

/** Three attempts of 200 ms, 10 ms apart, without limits beyond that. */
export function policyWith(changes: Partial<RetryPolicy>): RetryPolicy {
  return {
    maxAttempts: 3,
    attemptTimeoutMs: 200,
    backoff: backoffWith({}),
    budget: budgetWith({ kind: "none" }),
    deadlineMs: Infinity,
    minAttemptMs: 0,
    retryOwner: true,
    respectRetryOk: true,
    respectRetryAfter: true,
    overloadRetry: false,
    ...changes,
  };
}
