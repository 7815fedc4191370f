/**
 * What a budget promises, before anything is measured.
 *
 *     one hop:    1 + (start + ratio · N + minPerSecond · T) / N, and never more than maxAttempts
 *     a chain:    the product over its hops, each taken with the traffic that the hop above can send it
 *
 * N is the number of requests that reach the hop, T the seconds of the run. This answers grpc-go#7539 ("what
 * amplification does my budget bound?"), start level and floor included.
 */
import { startLevel } from "./budget.ts";
import type { RetryPolicy } from "./policy.ts";

/** The most attempts that a hop can make for each of `requests` (more than 0) requests in `seconds`. */
export function hopBound(policy: RetryPolicy, requests: number, seconds: number): number {
  const byCount = policy.retryOwner ? policy.maxAttempts : 1;
  const { kind, ratio, minPerSecond } = policy.budget;
  if (kind === "none") return byCount;
  const retries = startLevel(policy.budget) + ratio * requests + minPerSecond * seconds;
  return Math.min(byCount, 1 + retries / requests);
}

/** The most backend calls for each client request: `policies` from the client's side down. */
export function chainBound(policies: readonly RetryPolicy[], requests: number, seconds: number): number {
  let arrivals = requests;
  for (const policy of policies) arrivals *= hopBound(policy, arrivals, seconds);
  return arrivals / requests;
}
