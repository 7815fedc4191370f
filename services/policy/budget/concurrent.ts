/**
 * How many retries may be under way at once.
 *
 *     concurrent         retries under way ≤ max(ratio · attempts in flight, least)
 *     concurrent-window  retries under way ≤ max(ratio · attempts begun in the last W seconds, least)
 *
 * A retry is under way from the decision for it to the next decision about its request, its backoff included. The
 * attempt that has just failed is not in flight any more. The window is ten slices: the current one and nine before it.
 *
 *     at once:   N failures in one moment are answered by at most max(ratio · in flight, least) retries
 *     bound:     none in N requests. It limits a level, not a sum: by Little's law a second holds at most
 *                limit / (seconds that a retry takes) of them, and a callee that fails at once is asked without end.
 *
 * So it says nothing of a callee that fails fast, and much of one that is slow: there the retries are long under way.
 * With an interval the level is a share of a sum: at 1,000 requests/s and 20 % of ten seconds, 2,000 at once.
 *
 * Sources: Envoy `retry_budget` and `max_retries` (ratio 0, least 3); its `budget_interval` of 2026; failsafe-go's budget.
 */
import { ROUNDING } from "./bucket.ts";
import { windowMsOf, type Budget, type BudgetPolicy } from "./budget-types.ts";
import { SlidingCount } from "./sliding-count.ts";

export function concurrent(policy: BudgetPolicy, startedAt: number): Budget {
  const { ratio, kind, minConcurrent = 0 } = policy;
  const begun = kind === "concurrent-window" ? new SlidingCount(windowMsOf(policy), startedAt) : undefined;
  let [inFlight, underWay] = [0, 0];
  const balance = (now: number): number => {
    const base = begun?.sum(now) ?? inFlight;
    return Math.max(0, Math.max(ratio * base, minConcurrent) - underWay);
  };
  return {
    deposit: () => {},
    tryWithdraw(now) {
      if (balance(now) < 1 - ROUNDING) return false;
      underWay += 1;
      return true;
    },
    hear(event, now) {
      if (event === "begun") {
        inFlight += 1;
        begun?.add(1, now);
      } else if (event === "ended") inFlight -= 1;
      else if (event === "settled") underWay -= 1;
    },
    balance,
  };
}
