/**
 * How many retries are affordable, whatever happens.
 *
 * A count of attempts bounds what one request may cost; only a budget bounds what all of them together may cost. With
 * attempts alone, two hops of three turn a bad minute into nine times the load. With a budget of 20 %, a hop adds at
 * most a fifth to its own traffic, however bad the minute is.
 *
 *     token-bucket   every logical request deposits `ratio` tokens, every retry costs 1;
 *                    the balance is held between 0 and `burst`; `minPerSecond` tokens drip in besides
 *
 *     so in N requests over T seconds:  retries ≤ start + ratio · N + minPerSecond · T
 *
 * Tokens are numbers, never whole numbers by force: an integer scheme made a ratio of 0.6 behave as 1.0 (tower#857).
 * A deposit is made once for each logical request, never for an attempt: otherwise retries would pay for retries.
 * `minPerSecond` keeps a quiet service alive: at 1 request/s a ratio alone would starve it (envoy#25660).
 *
 * Sources: twitter/finagle RetryBudget; linkerd "Retry Budgets"; Google SRE book ch. 21.
 */

/** What the retry loop asks of a budget. `now` is in milliseconds of the clock in use. */
export interface Budget {
  /** Notes a logical request, or a success: a budget takes the one that it counts and ignores the other. */
  deposit(event: "request" | "success", now: number): void;
  /** Takes what one retry costs, or refuses and takes nothing. */
  tryWithdraw(now: number): boolean;
  /** Retries affordable at this moment; a fraction counts. Infinity where nothing limits them. */
  balance(now: number): number;
}

export const BUDGET_KINDS = ["none", "token-bucket"] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];

export interface BudgetPolicy {
  readonly kind: BudgetKind;
  /** Retries allowed for each request: 0.2 adds at most a fifth. 0 or more. */
  readonly ratio: number;
  /** The most tokens that can be saved up, hence the largest burst of retries. 0 or more. */
  readonly burst: number;
  /** Tokens at the start, 0 to `burst`. A bucket that starts full makes "20 %" mean 20 % + burst on a short run. */
  readonly start: number;
  /** A floor of retries per second that is always affordable; 0 for none. */
  readonly minPerSecond: number;
}

/** Refuses nothing. */
export const unlimited: Budget = {
  deposit: () => {},
  tryWithdraw: () => true,
  balance: () => Infinity,
};

/** Ten deposits of 0.1 make 0.9999999999999999: what binary fractions lose must not cost a retry. */
const ROUNDING = 1e-9;

/** The most tokens that are ever held. A floor needs room for one whole token, or it could never be spent. */
function mostTokens({ burst, minPerSecond }: BudgetPolicy): number {
  return minPerSecond > 0 ? Math.max(1, burst) : burst;
}

/** Tokens that a fresh budget holds: its start level, as far as there is room for it. */
export function startLevel(policy: BudgetPolicy): number {
  return Math.min(mostTokens(policy), policy.start);
}

function tokenBucket(policy: BudgetPolicy, startedAt: number): Budget {
  const most = mostTokens(policy);
  let tokens = startLevel(policy);
  let drippedAt = startedAt;
  const drip = (now: number): void => {
    if (now <= drippedAt) return;
    tokens = Math.min(most, tokens + ((now - drippedAt) / 1000) * policy.minPerSecond);
    drippedAt = now;
  };
  return {
    deposit(event, now) {
      drip(now);
      if (event === "request") tokens = Math.min(most, tokens + policy.ratio);
    },
    tryWithdraw(now) {
      drip(now);
      if (tokens < 1 - ROUNDING) return false;
      tokens = Math.max(0, tokens - 1);
      return true;
    },
    balance(now) {
      drip(now);
      return tokens;
    },
  };
}

/** A fresh budget of the policy's kind. `now` is the moment from which `minPerSecond` counts. */
export function createBudget(policy: BudgetPolicy, now: number): Budget {
  return policy.kind === "none" ? unlimited : tokenBucket(policy, now);
}
