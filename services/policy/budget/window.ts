/**
 * Retries as a share of the requests of the last few seconds.
 *
 *     in the last W seconds:  retries ≤ ratio · requests + minPerSecond · W
 *
 * The window is ten slices (sliding-count.ts). Requests and retries of one moment are forgotten at the same moment, so
 * no request pays twice.
 *
 *     bound:  every W seconds hold at most one such window, so in N requests over T seconds from a fresh budget
 *             retries ≤ ratio · N + minPerSecond · W · (floor(T / W) + 1)
 *
 * Where successes pay in instead of requests (`paidBy`), an outage lives on what is left of the window, then on the floor.
 *
 * What it costs: the credit of a whole window may go out in one moment. With a floor of 10/s, a ratio of 20 % and ten
 * seconds, an outage at 1,000 requests/s begins with 2,100 retries at once. `burst` and `start` do not apply.
 *
 * Sources: twitter/finagle RetryBudget and twitter/util WindowedAdder; Envoy `retry_budget.budget_interval`.
 */
import { countedBy, ROUNDING } from "./bucket.ts";
import { windowMsOf, type Budget, type BudgetPolicy } from "./budget-types.ts";
import { SlidingCount } from "./sliding-count.ts";

export function slidingWindow(policy: BudgetPolicy, startedAt: number): Budget {
  const windowMs = windowMsOf(policy);
  const floor = (policy.minPerSecond * windowMs) / 1000;
  const counted = countedBy(policy);
  const requests = new SlidingCount(windowMs, startedAt);
  const retries = new SlidingCount(windowMs, startedAt);
  const balance = (now: number): number => Math.max(0, policy.ratio * requests.sum(now) + floor - retries.sum(now));
  return {
    deposit(event, now) {
      if (event === counted) requests.add(1, now);
    },
    tryWithdraw(now) {
      if (balance(now) < 1 - ROUNDING) return false;
      retries.add(1, now);
      return true;
    },
    balance,
  };
}
