/** What a retry budget is asked, and what it is made from. The budgets themselves are in the files beside this one. */
import type { Reply } from "../outcome.ts";

/**
 * What goes on around a budget: an attempt has gone out · it has ended · it has failed in a way that is retried · a retry
 * that was granted has been judged, or will not be made any more.
 */
export type BudgetNews = "begun" | "ended" | "failed" | "settled";

/** What the retry loop asks of a budget. `now` is in milliseconds of the clock in use. */
export interface Budget {
  /**
   * Notes a logical request, or a success: a budget takes the one that it counts and ignores the other.
   * @param after the answer that the retry followed which has now succeeded; absent where the first attempt did
   */
  deposit(event: "request" | "success", now: number, after?: Reply): void;
  /** Takes what one retry costs, or refuses and takes nothing. @param after the answer that the retry follows */
  tryWithdraw(now: number, after?: Reply): boolean;
  /** Retries affordable at this moment; a fraction counts. Infinity where nothing limits them. */
  balance(now: number): number;
  /** Absent where nothing but deposits counts. */
  hear?(event: BudgetNews, now: number): void;
}

export const BUDGET_KINDS = [
  "none",
  "token-bucket",
  "success",
  "window",
  "decayed",
  "failures",
  "concurrent",
  "concurrent-window",
] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];

export interface BudgetPolicy {
  readonly kind: BudgetKind;
  /**
   * `success`: tokens for each success. `concurrent`: share of the attempts that may be retries. Else: retries allowed
   * for each request, 0.2 adds at most a fifth. 0 or more.
   */
  readonly ratio: number;
  /** Buckets: the most tokens that can be saved up, hence the largest burst of retries. 0 or more. */
  readonly burst: number;
  /** Buckets: tokens at the start, 0 to `burst`. One that starts full makes "20 %" mean 20 % + burst on a short run. */
  readonly start: number;
  /** A floor of retries per second that is always affordable; 0 for none. */
  readonly minPerSecond: number;
  /** `success` only: tokens that one retry costs; more than 0, and 1 where absent. */
  readonly cost?: number;
  /** `success` only: what a retry costs after 429; more than 0, Infinity or absent: as `cost`. */
  readonly cost429?: number;
  /** `success` only: a request that succeeds at a retry gets the price of that retry back, instead of `ratio`. */
  readonly refund?: boolean;
  /** `window` and `decayed`: what pays in; `request` where absent. */
  readonly paidBy?: "request" | "success";
  /** `window`, `concurrent-window`: its length. `decayed`: the mean age of what counts. Milliseconds, more than 0; 10,000 where absent. */
  readonly windowMs?: number;
  /** `concurrent`: retries that may be under way whatever the ratio says; 0 or more, 0 where absent. */
  readonly minConcurrent?: number;
  /** Buckets: all instances of the hop share one. Absent: each has its own. */
  readonly fleet?: FleetTerms;
}

/** What one instance may do with a budget that it shares (fleet.ts). */
export interface FleetTerms {
  /** The most retries that it holds ready, taken out of the shared budget beforehand; a whole number, 1 or more. */
  readonly lease: number;
  /** Retries per second that it may make while the store does not answer; 0 for none. */
  readonly floorPerSecond: number;
}

const WINDOW_MS = 10_000;

export function windowMsOf({ windowMs }: BudgetPolicy): number {
  return windowMs ?? WINDOW_MS;
}
