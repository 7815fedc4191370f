/**
 * The two edges of a phase diagram: up to which load a chain can be healthy, and below which it can't stay broken.
 *
 * A call fails with share p. With f attempts for each request a hop answers (1 − p) · f of its requests well, since each
 * good answer ends its request, so it fails with
 *
 *     q = 1 − (1 − p) · f          f = min(1 + p + … + p^(m − 1), 1 + ratio)      m attempts at most, a budget of `ratio`
 *
 * and q is what the hop above it sees. The product A(p) of the f's, deepest hop first, is the calls for each request.
 *
 * Healthy: no call times out, so p is the error rate alone.   It can last while   load · A(error) ≤ capacity.
 * Broken:  every call times out, so p is 1.                   It lasts while      load · A(1) > capacity.
 *
 * Both are fixed points of the same map (more calls, longer queue, more timeouts, more calls). Between the two edges each
 * holds itself up: which one a chain is in depends on what has happened to it, and that is what a trigger changes.
 *
 * Left out: deadlines, shedding, and the run's length (a queue that grows slowly has not broken a short run yet).
 */
import type { RetryPolicy } from "../../services/policy/retry-policy.ts";

/** Attempts for each request at one hop, where each fails with share `p`, 0 to 1. */
export function attemptsAt({ maxAttempts, retryOwner, budget }: RetryPolicy, p: number): number {
  if (!retryOwner) return 1;
  let [sum, power] = [0, 1];
  for (let n = 0; n < maxAttempts; n += 1) {
    sum += power;
    power *= p;
  }
  if (budget.kind === "none") return sum;
  // A budget of successes grants its share of those only; the fewest are there where all calls fail.
  const granted = budget.kind === "success" ? (budget.ratio / (budget.cost ?? 1)) * (1 - p) : budget.ratio;
  return Math.min(sum, 1 + granted);
}

/** Backend calls for each client request, where a share `p` of them fails. @param hops from the client's side down */
export function callsPerRequest(hops: readonly RetryPolicy[], p: number): number {
  let [calls, failed] = [1, p];
  for (const hop of hops.toReversed()) {
    const attempts = attemptsAt(hop, failed);
    calls *= attempts;
    failed = Math.max(0, 1 - (1 - failed) * attempts);
  }
  return calls;
}

export interface Edges {
  /** The largest load, in requests per second, at which the chain can be healthy. */
  readonly healthyUpTo: number;
  /** The load below which it recovers by itself. */
  readonly recoversBelow: number;
}

export function edgesOf(hops: readonly RetryPolicy[], capacity: number, errorRate: number): Edges {
  return {
    healthyUpTo: capacity / callsPerRequest(hops, errorRate),
    recoversBelow: capacity / callsPerRequest(hops, 1),
  };
}
