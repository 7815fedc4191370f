/**
 * A bucket of tokens that what happens fills and retries empty.
 *
 *     token-bucket   every logical request deposits `ratio`, a retry costs 1
 *     success        every success deposits `ratio`, a retry costs `cost`
 *     both           0 ≤ balance ≤ burst; the price of `minPerSecond` retries drips in each second
 *
 *     so in N requests over T seconds:  retries ≤ (start + ratio · N) / cost + minPerSecond · T
 *
 * Requests come in whether the callee lives or not; a success is evidence that it does. In a total outage a bucket that
 * requests fill goes on retrying at its ratio, one that successes fill runs dry and stays so. The price is a slower
 * return: after a long outage the first failures find nothing saved up.
 *
 * Sources: twitter/finagle RetryBudget (requests); AWS SDKs, "standard" retry mode (500 tokens, a retry costs 14, a
 * success gives 1). AWS also gives back what a retry cost that succeeded; left out here, since nothing but one retry
 * for each request bounds it then.
 */
import type { Budget, BudgetPolicy } from "./budget-types.ts";

/** What binary fractions lose must not cost a retry: ten deposits of 0.1 make 0.9999999999999999. */
export const ROUNDING = 1e-9;

/** Tokens that one retry costs. */
export function costOf({ kind, cost }: BudgetPolicy): number {
  return kind === "success" ? (cost ?? 1) : 1;
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
export function countedBy({ kind }: BudgetPolicy): "request" | "success" {
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
    deposit(event, now) {
      drip(now);
      if (event === counted) tokens = Math.min(most, tokens + policy.ratio);
    },
    tryWithdraw(now) {
      drip(now);
      if (tokens < cost - ROUNDING) return false;
      tokens = Math.max(0, tokens - cost);
      return true;
    },
    balance(now) {
      drip(now);
      return tokens / cost;
    },
  };
}
