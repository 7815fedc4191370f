/**
 * What a budget promises, before anything is measured.
 *
 *     one hop     min(maxAttempts, 1 + retries / N) + hedge ratio, where the retries are at most
 *                   token-bucket   start + ratio · N + minPerSecond · T
 *                   success        (start + ratio · N) / cost + minPerSecond · T
 *                   … refund       + N
 *                   failures       max(0, start − burst / 2) + ratio · N
 *                   window         ratio · N + minPerSecond · W · (floor(T / W) + 1)
 *                   decayed        ratio · N + minPerSecond · (W + T)
 *                   concurrent     no bound: it limits how many at once, not how many
 *     a chain     the product over its hops, each with the traffic that the hop above can send it
 *
 * N is the number of requests that reach the hop, T the seconds from its fresh budget to the last of them. With k
 * instances that have a budget each, start and minPerSecond count k times. Where they share one, they count once, and
 * k · floorPerSecond · T comes on top, for the time in which the store does not answer.
 *
 * This answers grpc-go#7539 ("what amplification does my budget bound?"), start level and floor included. It bounds a
 * whole run, not a moment: what a kind may release at once is in its own file.
 */
import { costOf, leastCost, startLevel } from "./budget/bucket.ts";
import { windowMsOf, type BudgetPolicy } from "./budget/budget-types.ts";
import type { RetryPolicy } from "./retry-policy.ts";

/** The most retries that the budgets of `instances` grant to `requests` in `seconds`; Infinity without a budget. */
function retriesBound(budget: BudgetPolicy, instances: number, requests: number, seconds: number): number {
  const { ratio, fleet } = budget;
  const budgets = fleet === undefined ? instances : 1;
  const floor = (fleet?.floorPerSecond ?? 0) * instances * seconds;
  const minPerSecond = budget.minPerSecond * budgets;
  const windowS = windowMsOf(budget) / 1000;
  switch (budget.kind) {
    case "none":
    case "concurrent":
    case "concurrent-window":
      return Infinity;
    case "token-bucket":
    case "success": {
      const start = budgets * startLevel(budget);
      const dripped = (minPerSecond * seconds * costOf(budget)) / leastCost(budget);
      const refunded = budget.kind === "success" && budget.refund === true ? requests : 0;
      return refunded + (start + ratio * requests) / leastCost(budget) + dripped + floor;
    }
    case "failures":
      return instances * Math.max(0, startLevel(budget) - budget.burst / 2) + ratio * requests;
    case "window":
      return ratio * requests + minPerSecond * windowS * (Math.floor(seconds / windowS) + 1);
    case "decayed":
      return ratio * requests + minPerSecond * (windowS + seconds);
  }
}

/** The most attempts that a hop can make for each of `requests` (more than 0) requests in `seconds`. */
export function hopBound(policy: RetryPolicy, requests: number, seconds: number): number {
  const byCount = policy.retryOwner ? policy.maxAttempts : 1;
  const copies = (policy.replicas ?? 1) > 1 ? (policy.hedge?.ratio ?? 0) : 0;
  const retries = retriesBound(policy.budget, policy.instances ?? 1, requests, seconds);
  return Math.min(byCount, 1 + retries / requests) + copies;
}

/** The most backend calls for each client request: `policies` from the client's side down. */
export function chainBound(policies: readonly RetryPolicy[], requests: number, seconds: number): number {
  let arrivals = requests;
  for (const policy of policies) arrivals *= hopBound(policy, arrivals, seconds);
  return arrivals / requests;
}
