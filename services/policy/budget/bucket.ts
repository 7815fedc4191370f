/**
 * A bucket of tokens that what happens fills and retries empty.
 *
 *     token-bucket   every logical request deposits `ratio`, a retry costs 1
 *     success        every success deposits `ratio`, a retry costs `cost`
 *     both           0 ≤ balance ≤ burst; the price of `minPerSecond` retries drips in each second
 *
 *     so in N requests over T seconds:  retries ≤ (start + ratio · N) / cost + minPerSecond · T
 *     with `refund`                     … + N: one retry of each request may be free
 *
 * Requests come in whether the callee lives or not; a success is evidence that it does. In a total outage a bucket that
 * requests fill goes on retrying at its ratio, one that successes fill runs dry and stays so. The price is a slower
 * return: after a long outage the first failures find nothing saved up.
 *
 * A refund gives back what the retry cost that succeeded, so that errors which one retry mends cost nothing. Then only
 * the number of attempts bounds the retries of a callee that is half alive.
 *
 * Sources: twitter/finagle RetryBudget (requests); AWS SDKs, "standard" retry mode (500 tokens, a retry costs 14, or 5
 * where the callee throttles; a success gives 1, or the price of its last retry).
 */
import type { Budget, BudgetPolicy } from "./budget-types.ts";
import type { Reply } from "../outcome.ts";

/** What binary fractions lose must not cost a retry: ten deposits of 0.1 make 0.9999999999999999. */
export const ROUNDING = 1e-9;

/** Tokens that one retry costs. */
export function costOf({ kind, cost }: BudgetPolicy): number {
  return kind === "success" ? (cost ?? 1) : 1;
}

/** Tokens that a retry after `after` costs. */
function priceAfter(policy: BudgetPolicy, after: Reply | undefined): number {
  const { kind, cost429 = Infinity } = policy;
  return kind === "success" && after?.status === 429 && cost429 !== Infinity ? cost429 : costOf(policy);
}

/** The least that a retry can cost, in tokens. */
export function leastCost(policy: BudgetPolicy): number {
  return policy.kind === "success" ? Math.min(costOf(policy), policy.cost429 ?? Infinity) : 1;
}

/** The most tokens that are ever held. A floor needs room for one whole retry, or it could never be spent. */
export function mostTokens(policy: BudgetPolicy): number {
  return policy.minPerSecond > 0 ? Math.max(costOf(policy), policy.burst) : policy.burst;
}

/** Tokens that a fresh bucket holds: its start level, as far as there is room for it. */
export function startLevel(policy: BudgetPolicy): number {
  return Math.min(mostTokens(policy), policy.start);
}

/** What a bucket is filled by. */
export function countedBy({ kind, paidBy = "request" }: BudgetPolicy): "request" | "success" {
  if (kind === "window" || kind === "decayed") return paidBy;
  return kind === "success" ? "success" : "request";
}

export function bucket(policy: BudgetPolicy, startedAt: number): Budget {
  const counted = countedBy(policy);
  const most = mostTokens(policy);
  const cost = costOf(policy);
  const perMs = (policy.minPerSecond * cost) / 1000;
  let tokens = startLevel(policy);
  let drippedAt = startedAt;
  const drip = (now: number): void => {
    if (now <= drippedAt) return;
    tokens = Math.min(most, tokens + (now - drippedAt) * perMs);
    drippedAt = now;
  };
  return {
    deposit(event, now, after) {
      drip(now);
      if (event !== counted) return;
      const isRefunded = policy.refund === true && after !== undefined && policy.kind === "success";
      tokens = Math.min(most, tokens + (isRefunded ? priceAfter(policy, after) : policy.ratio));
    },
    tryWithdraw(now, after) {
      drip(now);
      const price = priceAfter(policy, after);
      if (tokens < price - ROUNDING) return false;
      tokens = Math.max(0, tokens - price);
      return true;
    },
    balance(now) {
      drip(now);
      return tokens / cost;
    },
  };
}
