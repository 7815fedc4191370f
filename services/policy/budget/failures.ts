/**
 * A bucket that failures empty and successes fill, and retries only while it is more than half full.
 *
 *     0 ≤ tokens ≤ burst; a failed attempt takes 1, whether it is retried or not; a success gives `ratio`
 *     a retry is allowed while tokens > burst / 2, and costs nothing more
 *
 *     so in N requests:   retries ≤ max(0, start − burst / 2) + ratio · N
 *
 * Each retry follows a failure that took its token above the half, and only successes bring tokens back. Failures of
 * requests that are never retried count too: in a total outage it is empty after `burst` failures, and a success rate of
 * 1 / (1 + ratio) or less keeps it there.
 *
 * Source: gRPC proposal A6, retry throttling (maxTokens, tokenRatio).
 */
import { ROUNDING } from "./bucket.ts";
import type { Budget, BudgetPolicy } from "./budget-types.ts";

export function failureBucket({ ratio, burst, start }: BudgetPolicy): Budget {
  let tokens = Math.min(burst, start);
  return {
    deposit(event) {
      if (event === "success") tokens = Math.min(burst, tokens + ratio);
    },
    tryWithdraw: () => tokens > burst / 2 + ROUNDING,
    hear(event) {
      if (event === "failed") tokens = Math.max(0, tokens - 1);
    },
    balance: () => Math.max(0, tokens - burst / 2),
  };
}
