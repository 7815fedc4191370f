/**
 * Try again, or stop, and why: the gates of the one retry loop, in their order.
 *
 *     outcome retryable → replayable → this hop owns retries → attempts left → breaker closed → not told to back off
 *     → the wait and a useful attempt fit the deadline → budget
 *
 * The budget comes last because it alone has a side effect: a token must not be spent on a retry that another gate
 * then refuses. Source of the order: twitter/finagle RetryFilter (ask the policy first, withdraw last).
 */
import { backoffMs, type BackoffPolicy } from "./backoff.ts";
import type { Budget } from "./budget/budget.ts";
import type { Rng } from "./clock.ts";
import type { Reply, StopReason } from "./outcome.ts";
import { isRetriedOn } from "./retry-on.ts";
import type { RetryPolicy } from "./retry-policy.ts";

export type Decision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly reason: StopReason };

/** What is known when an attempt has ended. Times in milliseconds of one clock. */
export interface Situation {
  readonly reply: Reply;
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  /** A GET, or a write with an idempotency key: doing it twice has the effect of doing it once. */
  readonly replayable: boolean;
  /** Whether the upstream's circuit breaker lets calls through. */
  readonly breakerClosed: boolean;
  readonly now: number;
  /** Absolute; Infinity for none. */
  readonly deadline: number;
  /** The wait before the attempt that just ended; 0 before the first. */
  readonly previousDelayMs: number;
  /** All waits of this request so far; as `previousDelayMs` where absent. */
  readonly waitedMs?: number;
  /** Whether the next attempt goes to another replica, and that one has not shed lately. */
  readonly elsewhere?: boolean;
}

const stop = (reason: StopReason): Decision => ({ retry: false, reason });

/** Made once: most calls end here. */
const SUCCESS = stop("success");

/** Nobody waits longer than five minutes for one answer: a longer Retry-After is a refusal, not an appointment. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/** The most that the AWS SDKs add to their own backoff because a callee asked for it, in milliseconds. */
const CLAMP_MS = 5000;

/** The backoff after `reply`: where the callee throttles (429), it may begin at a base of its own. */
function termsAfter(backoff: BackoffPolicy, { status }: Reply): BackoffPolicy {
  const { base429Ms = Infinity } = backoff;
  return status === 429 && base429Ms !== Infinity ? { ...backoff, baseMs: base429Ms } : backoff;
}

/** True when the callee asked to be left alone and this policy listens. One replica speaks for itself alone. */
function toldToBackOff(policy: RetryPolicy, { reply, elsewhere }: Situation): boolean {
  if (reply.doNotRetry === true && policy.respectRetryOk) return true;
  if (reply.outcome !== "overloaded" || !policy.respectRetryAfter || elsewhere === true) return false;
  return !policy.overloadRetry || (reply.retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS;
}

/**
 * The wait before the next attempt:
 *
 *     backoff,   or, where the callee asked for a time,
 *     spread     retryAfter + backoff + U(0, max(base, retryAfter / 2))
 *     exact      retryAfter: most HTTP libraries, and gRPC's pushback
 *     least      max(backoff, retryAfter)
 *     clamped    max(backoff, min(retryAfter, backoff + 5 s)): AWS SDKs
 *
 * With `spread` the callee's time is a floor, never an appointment: everyone who was told "1 s" must not come back together after
 * exactly 1 s (electric#4322). The spread is drawn whatever the kind of backoff, since `none` and `fixed` have no
 * jitter of their own, and it grows with the time asked for, since the crowd that was sent away grows with it. Zero is
 * a time too: it spreads over the base. Another replica has asked for nothing, and is tried at once.
 */
function delayFor(policy: RetryPolicy, situation: Situation, rng: Rng): number {
  const { reply, attempts, previousDelayMs, waitedMs, elsewhere } = situation;
  const { outcome, retryAfterMs } = reply;
  const listens = outcome === "overloaded" && policy.respectRetryAfter;
  if (listens && elsewhere === true) return 0;
  const terms = termsAfter(policy.backoff, reply);
  const backoff = backoffMs(terms, attempts - 1, previousDelayMs, rng, waitedMs);
  if (!listens || retryAfterMs === undefined) return backoff;
  switch (policy.retryAfterWait ?? "spread") {
    case "exact":
      return retryAfterMs;
    case "least":
      return Math.max(backoff, retryAfterMs);
    case "clamped":
      return Math.max(backoff, Math.min(retryAfterMs, backoff + CLAMP_MS));
    case "spread":
      return retryAfterMs + backoff + rng() * Math.max(terms.baseMs, retryAfterMs / 2);
  }
}

/** Passes the situation through the gates. Takes one retry from `budget` if, and only if, the answer is to retry. */
export function decide(policy: RetryPolicy, situation: Situation, budget: Budget, rng: Rng): Decision {
  const { reply, now, deadline } = situation;
  if (reply.outcome === "ok") return SUCCESS;
  if (reply.outcome === "deadline") return stop("deadline_too_near");
  if (!isRetriedOn(policy.retryOn, reply)) return stop("not_retryable");
  if (!situation.replayable) return stop("not_replayable");
  if (!policy.retryOwner) return stop("not_retry_owner");
  if (situation.attempts >= policy.maxAttempts) return stop("attempts_exhausted");
  if (!situation.breakerClosed) return stop("breaker_open");
  if (toldToBackOff(policy, situation)) return stop("overloaded_upstream");
  const delayMs = delayFor(policy, situation, rng);
  if (now + delayMs + policy.minAttemptMs >= deadline) return stop("deadline_too_near");
  if (!budget.tryWithdraw(now, reply)) return stop("budget_exhausted");
  return { retry: true, delayMs };
}

/** Stops that the hops above must not answer with a retry of their own: what was refused here would be asked again. */
export function forbidsRetryAbove(reason: StopReason): boolean {
  return (
    reason === "budget_exhausted" ||
    reason === "overloaded_upstream" ||
    reason === "breaker_open" ||
    reason === "deadline_too_near"
  );
}
