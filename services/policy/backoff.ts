/**
 * How long to wait before the next attempt.
 *
 * Growth spreads the retries of one caller over time; jitter spreads the retries of many callers apart. Neither makes
 * fewer of them: under lasting overload it is the budget that does that.
 *
 *     n = 0 for the first retry, b = base, c = cap, e(n) = min(c, b · 2^n)
 *     none          0
 *     fixed         b
 *     exponential   e(n)
 *     full          U(0, e(n))
 *     equal         e(n)/2 + U(0, e(n)/2)
 *     decorrelated  min(c, U(b, 3 · previous)), previous = b at first
 *
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
import type { Rng } from "./clock.ts";

export const BACKOFF_KINDS = ["none", "fixed", "exponential", "full", "equal", "decorrelated"] as const;
export type BackoffKind = (typeof BACKOFF_KINDS)[number];

export interface BackoffPolicy {
  readonly kind: BackoffKind;
  /** Milliseconds, 0 or more. */
  readonly baseMs: number;
  /** Milliseconds, at least `baseMs`. Not used by `fixed`. */
  readonly capMs: number;
}

/**
 * min(cap, base · 2^n), finite for every n ≥ 0: 2^n is infinite from n = 1024 on, and 0 · ∞ is not a number, so the
 * exponent stops where a double still holds it.
 */
function exponentialMs({ baseMs, capMs }: BackoffPolicy, n: number): number {
  return Math.min(capMs, baseMs * 2 ** Math.min(n, 1000));
}

/**
 * The wait before retry `n` (0 = the first retry), in milliseconds; finite and never negative.
 * @param previousMs the wait before the retry before this one; ignored by all kinds but `decorrelated`
 */
export function backoffMs(policy: BackoffPolicy, n: number, previousMs: number, rng: Rng): number {
  const { baseMs, capMs } = policy;
  switch (policy.kind) {
    case "none":
      return 0;
    case "fixed":
      return baseMs;
    case "exponential":
      return exponentialMs(policy, n);
    case "full":
      return rng() * exponentialMs(policy, n);
    case "equal":
      return (exponentialMs(policy, n) / 2) * (1 + rng());
    case "decorrelated": {
      const from = n === 0 ? baseMs : Math.max(baseMs, previousMs);
      return Math.min(capMs, baseMs + rng() * (3 * from - baseMs));
    }
  }
}
