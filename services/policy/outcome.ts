/**
 * How one call ended, as seen by who made it.
 *
 * "Failed" and "overloaded" are apart on purpose. The first says that this attempt failed. The second says that the
 * callee has too much to do: a retry of it is more load on what cannot carry it.
 */

export const OUTCOMES = ["ok", "failed", "overloaded", "timeout", "deadline", "rejected", "cancelled"] as const;

/**
 * `ok`: answered · `failed`: 5xx or a connection error · `overloaded`: 503 or 429 · `timeout`: this attempt took too
 * long · `deadline`: the whole request ran out of time · `rejected`: any other 4xx, the caller's own fault ·
 * `cancelled`: the caller went away.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** One answer, or the reason why there is none. */
export interface Reply {
  readonly outcome: Outcome;
  /** HTTP status; 0 where none was received. */
  readonly status: number;
  /** What the callee asked for with Retry-After, in milliseconds from its arrival; 0 or more. */
  readonly retryAfterMs?: number | undefined;
  /** True when the callee sent `x-retry-ok: 0`: nobody above it should retry. */
  readonly doNotRetry?: boolean | undefined;
  /** False when the attempt never left this process (no connection). Absent means sent. */
  readonly sent?: boolean | undefined;
  /** Why a hop below stopped trying, when it said so. */
  readonly stop?: StopReason | undefined;
  /** The answer's content, where there is one to hand on. */
  readonly body?: string | undefined;
}

export const STOP_REASONS = [
  "success",
  "not_retryable",
  "not_replayable",
  "not_retry_owner",
  "attempts_exhausted",
  "breaker_open",
  "overloaded_upstream",
  "deadline_too_near",
  "budget_exhausted",
  "shed",
] as const;

/** Why no (further) attempt was made; `shed`: the hop refused to take the request on. Closed: it is a metric label. */
export type StopReason = (typeof STOP_REASONS)[number];

/** The outcome that an HTTP status stands for. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 400) return "ok";
  if (status === 503 || status === 429) return "overloaded";
  return status >= 500 ? "failed" : "rejected";
}

/** Whether another attempt could end better. `deadline` and `cancelled` cannot: nobody is waiting any more. */
export function isRetryable(outcome: Outcome): boolean {
  return outcome === "failed" || outcome === "overloaded" || outcome === "timeout";
}

/**
 * True for 409 to a write that carries an idempotency key: an earlier attempt at it is still being worked on (IETF
 * draft-ietf-httpapi-idempotency-key-header-07, section 2.6). That is not the caller's fault: its answer is there a
 * little later.
 */
export function isInProgress(status: number, isKeyedWrite: boolean): boolean {
  return status === 409 && isKeyedWrite;
}

/** True for a word that the callee has too much to do: more calls now would be more of what it cannot carry. */
export function isOverload({ outcome, doNotRetry }: Reply): boolean {
  return outcome === "overloaded" || doNotRetry === true;
}
