/** What one hop does when a call fails, as plain data. services/hop/config.ts makes it from the settings. */
import type { AdmissionPolicy } from "./admission.ts";
import type { BackoffPolicy } from "./backoff.ts";
import type { BreakerPolicy } from "./breaker/breaker.ts";
import type { BudgetPolicy } from "./budget/budget.ts";
import type { HedgePolicy } from "./hedge/hedge.ts";

/** How long to wait where the callee asked for a time (retry-decision.ts). */
export const RETRY_AFTER_WAITS = ["spread", "exact", "least", "clamped"] as const;

export interface RetryPolicy {
  /** What the hop takes on at once. Absent: everything. */
  readonly admission?: AdmissionPolicy;
  /** Attempts for each logical call, the first included; 1 or more. 1 means no retries. */
  readonly maxAttempts: number;
  /** Milliseconds that one attempt may take; Infinity for no limit. */
  readonly attemptTimeoutMs: number;
  readonly backoff: BackoffPolicy;
  readonly budget: BudgetPolicy;
  /** Processes that this hop consists of, 1 where absent. Each has a budget of its own, unless they share one. */
  readonly instances?: number;
  /** Absent: no circuit breaker. */
  readonly breaker?: BreakerPolicy;
  /** Replicas of the callee that this hop chooses among, 1 or more; 1 where absent: the callee's own affair. */
  readonly replicas?: number;
  /** Second copies of slow reads. Absent: none. Without effect below two replicas. */
  readonly hedge?: HedgePolicy;
  /** Milliseconds from arrival by which the call must be answered; Infinity for none of its own. */
  readonly deadlineMs: number;
  /** The least time that an attempt must have left to be worth beginning, in milliseconds. */
  readonly minAttemptMs: number;
  /** Whether the callee is told what remains before the deadline; true where absent. */
  readonly passDeadline?: boolean;
  /** Whether the hop stops once its caller has gone; true where absent. */
  readonly followCaller?: boolean;
  /** What is retried (retry-on.ts); absent: whatever may end better next time. */
  readonly retryOn?: readonly string[];
  /** With `respectRetryAfter` and `overloadRetry`: how long to wait where a time was asked for; `spread` where absent. */
  readonly retryAfterWait?: (typeof RETRY_AFTER_WAITS)[number];
  /** False where another hop owns the retries: this one then makes one attempt and hands on what it got. */
  readonly retryOwner: boolean;
  /** Whether `x-retry-ok: 0` from below stops the retries here. */
  readonly respectRetryOk: boolean;
  /** Whether "overloaded" (503, 429) is told apart from "failed". False treats both alike. */
  readonly respectRetryAfter: boolean;
  /** With `respectRetryAfter`: whether to try again after the time asked for (true) or to stop at once (false). */
  readonly overloadRetry: boolean;
}

/** A hop that hands on and does nothing else: one attempt, no limit, no defence. */
export const PLAIN_POLICY: RetryPolicy = {
  maxAttempts: 1,
  attemptTimeoutMs: Infinity,
  backoff: { kind: "none", baseMs: 0, capMs: 0 },
  budget: { kind: "none", ratio: 0, burst: 0, start: 0, minPerSecond: 0 },
  deadlineMs: Infinity,
  minAttemptMs: 0,
  retryOwner: true,
  respectRetryOk: false,
  respectRetryAfter: false,
  overloadRetry: false,
};
