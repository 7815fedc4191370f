/**
 * Retries as a share of the requests, where what is long ago counts less and less.
 *
 *     each count loses a share of 1 − e^(−Δt / W) in Δt, and   retries ≤ ratio · requests + minPerSecond · W
 *
 * Both sides fade alike, so their difference, the credit, is one number that moves back to its level at rest:
 *
 *     credit = rest + (credit − rest) · e^(−Δt / W), rest = minPerSecond · W;  a request adds `ratio`, a retry takes 1
 *
 * It is the window without its edges: no slice whose end gives back a whole window's floor at once, and one number of
 * memory. Old credit fades instead of waiting for a bad minute. `burst` and `start` do not apply.
 *
 *     bound:  below `rest` the credit returns by at most minPerSecond, above it only falls, so in N requests over
 *             T seconds from a fresh budget   retries ≤ ratio · N + minPerSecond · (W + T)
 *
 * Source: exponentially decayed counts as in Twitter's `Ewma` load balancing (Peak EWMA); the bound is derived here.
 */
import { countedBy, ROUNDING } from "./bucket.ts";
import { windowMsOf, type Budget, type BudgetPolicy } from "./budget-types.ts";

export function decayed(policy: BudgetPolicy, startedAt: number): Budget {
  const windowMs = windowMsOf(policy);
  const rest = (policy.minPerSecond * windowMs) / 1000;
  const counted = countedBy(policy);
  let credit = rest;
  let fadedAt = startedAt;
  const fade = (now: number): void => {
    if (now <= fadedAt) return;
    credit = rest + (credit - rest) * Math.exp((fadedAt - now) / windowMs);
    fadedAt = now;
  };
  return {
    deposit(event, now) {
      fade(now);
      if (event === counted) credit += policy.ratio;
    },
    tryWithdraw(now) {
      fade(now);
      if (credit < 1 - ROUNDING) return false;
      credit = Math.max(0, credit - 1);
      return true;
    },
    balance(now) {
      fade(now);
      return credit;
    },
  };
}
