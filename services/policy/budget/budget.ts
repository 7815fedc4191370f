/**
 * How many retries are affordable, whatever happens.
 *
 * A count of attempts bounds what one request may cost; only a budget bounds what all of them together may cost. With
 * attempts alone, two hops of three turn a bad minute into nine times the load. With a budget of 20 %, a hop adds at
 * most a fifth to its own traffic, however bad the minute is. What exactly each kind bounds is in its own file:
 *
 *     token-bucket   a share of the requests, saved up to a burst            bucket.ts
 *     success        a share of the successes, saved up to a burst           bucket.ts
 *     window         a share of the requests of the last seconds             window.ts
 *     decayed        the same, old requests counting less and less           decayed.ts
 *     failures       none while failures have emptied half of it             failures.ts
 *     concurrent     a share of what is in flight, at one moment             concurrent.ts
 *
 * Tokens are numbers, never whole numbers by force: an integer scheme made a ratio of 0.6 behave as 1.0 (tower#857).
 * A deposit is made once for each logical request, never for an attempt: otherwise retries would pay for retries.
 * `minPerSecond` keeps a quiet service alive: at 1 request/s a ratio alone would starve it (envoy#25660).
 *
 * Sources: twitter/finagle RetryBudget; linkerd "Retry Budgets"; Google SRE book ch. 21.
 */
import { bucket } from "./bucket.ts";
import { decayed } from "./decayed.ts";
import { failureBucket } from "./failures.ts";
import { concurrent } from "./concurrent.ts";
import type { Budget, BudgetPolicy } from "./budget-types.ts";
import { slidingWindow } from "./window.ts";

export { BUDGET_KINDS, type Budget, type BudgetKind, type BudgetPolicy } from "./budget-types.ts";

/** Refuses nothing. */
export const unlimited: Budget = {
  deposit: () => {},
  tryWithdraw: () => true,
  balance: () => Infinity,
};

/** A fresh budget of the policy's kind. `now` is the moment from which `minPerSecond` counts. */
export function createBudget(policy: BudgetPolicy, now: number): Budget {
  switch (policy.kind) {
    case "none":
      return unlimited;
    case "token-bucket":
    case "success":
      return bucket(policy, now);
    case "window":
      return slidingWindow(policy, now);
    case "decayed":
      return decayed(policy, now);
    case "failures":
      return failureBucket(policy);
    case "concurrent":
    case "concurrent-window":
      return concurrent(policy, now);
  }
}
