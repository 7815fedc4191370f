/**
 * How long to wait before the next attempt.
 *
 * Growth spreads the retries of one caller over time; jitter spreads the retries of many callers apart. Neither makes
 * fewer of them: under lasting overload it is the budget that does that.
 *
 *     n = 0 for the first retry, b = base, c = cap, m = factor, j = jitter, e(n) = min(c, b · m^n)
 *     none          0
 *     fixed         b · U(1 − j, 1 + j)
 *     exponential   e(n) · U(1 − j, 1 + j)
 *     full          U(0, e(n))
 *     equal         e(n)/2 + U(0, e(n)/2)
 *     decorrelated  min(c, U(b, 3 · previous)), previous = b at first
 *     rising        b at first, then U(previous, min(c, 3 · previous))
 *     smooth        min(c, (g(n + U(0, 1)) · b − 1.4 · waited) / 1.4), g(t) = 2^t · tanh √(4t), waited = all waits so far
 *
 * Sources: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 (full, equal, decorrelated);
 * gRPC A6 (j = 0.2); twitter/finagle MethodBuilder (rising); Polly's DecorrelatedJitterBackoffV2, also in cockatiel (smooth).
 */
import type { Rng } from "./clock.ts";

export const BACKOFF_KINDS = [
  "none",
  "fixed",
  "exponential",
  "full",
  "equal",
  "decorrelated",
  "rising",
  "smooth",
] as const;
export type BackoffKind = (typeof BACKOFF_KINDS)[number];

export interface BackoffPolicy {
  readonly kind: BackoffKind;
  /** Milliseconds, 0 or more. */
  readonly baseMs: number;
  /** Milliseconds, at least `baseMs`. Not used by `fixed`. */
  readonly capMs: number;
  /** `exponential`, `full`, `equal`: how much each wait is longer than the one before; 1 or more, 2 where absent. */
  readonly factor?: number;
  /** `fixed`, `exponential`: the share by which a wait varies up and down; 0 to 1, 0 where absent. */
  readonly jitter?: number;
  /** The base after 429, in milliseconds; Infinity or absent: as `baseMs`. */
  readonly base429Ms?: number;
}

/**
 * min(cap, base · factor^n), finite for every n ≥ 0: factor^n is infinite at some n, and 0 · ∞ is not a number, so the
 * power stops where a double still holds it.
 */
function exponentialMs({ baseMs, capMs, factor = 2 }: BackoffPolicy, n: number): number {
  return Math.min(capMs, baseMs * Math.min(factor ** n, Number.MAX_VALUE));
}

/** Varies a wait up and down by the policy's share; draws only where there is one. */
function variedMs({ jitter = 0 }: BackoffPolicy, waitMs: number, rng: Rng): number {
  return jitter === 0 ? waitMs : waitMs * (1 - jitter + 2 * jitter * rng());
}

/** What the share of the wait that `smooth` grows by settles at. */
const SMOOTH_SCALE = 1.4;

function smoothMs({ baseMs, capMs }: BackoffPolicy, n: number, waitedMs: number, rng: Rng): number {
  const t = Math.min(n + rng(), 1000);
  const dueMs = (2 ** t * Math.tanh(Math.sqrt(4 * t)) * baseMs) / SMOOTH_SCALE;
  return Math.min(capMs, Math.max(0, dueMs - waitedMs));
}

/**
 * The wait before retry `n` (0 = the first retry), in milliseconds; finite and never negative.
 * @param previousMs the wait before the retry before this one; for `decorrelated` and `rising`
 * @param waitedMs all waits before this one; for `smooth`
 */
export function backoffMs(
  policy: BackoffPolicy,
  n: number,
  previousMs: number,
  rng: Rng,
  waitedMs = previousMs,
): number {
  const { baseMs, capMs } = policy;
  switch (policy.kind) {
    case "none":
      return 0;
    case "fixed":
      return variedMs(policy, baseMs, rng);
    case "exponential":
      return variedMs(policy, exponentialMs(policy, n), rng);
    case "full":
      return rng() * exponentialMs(policy, n);
    case "equal":
      return (exponentialMs(policy, n) / 2) * (1 + rng());
    case "decorrelated": {
      const from = n === 0 ? baseMs : Math.max(baseMs, previousMs);
      return Math.min(capMs, baseMs + rng() * (3 * from - baseMs));
    }
    case "rising": {
      if (n === 0) return Math.min(capMs, baseMs);
      const from = Math.max(baseMs, Math.min(capMs, previousMs));
      return from + rng() * (Math.min(capMs, 3 * from) - from);
    }
    case "smooth":
      return smoothMs(policy, n, waitedMs, rng);
  }
}
