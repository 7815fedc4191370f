/**
 * What bounds retries better: their number, a bucket of tokens, or a breaker that refuses them? The question of
 * M. Brooker's retry simulator (mbrooker/simulator_example, retry_sim), asked of the lab's own gates, budget and rule.
 *
 * Many clients, each with its own policy, call a server that fails a fixed share of its calls and does not feel the
 * load. Each begins calls at random moments, as many at once as it happens to; a retry follows its failure at once.
 * Counted are the calls that the server saw, and those that ended well.
 *
 * The original's breaker refuses retries alone, never a first try, and forgets nothing. A hop's breaker also refuses
 * first tries and has a window, so here its rule stands before the gate without the breaker's states, its window
 * without end.
 */
import { VirtualClock } from "../services/virtual-time/clock.ts";
import { NO_CALLS_YET, note, trips, type BreakerRule } from "../services/policy/breaker/rule.ts";
import { createBudget, type BudgetPolicy } from "../services/policy/budget/budget.ts";
import type { Rng } from "../services/policy/clock.ts";
import { decide } from "../services/policy/retry-decision.ts";
import { seededRng } from "../services/policy/rng.ts";
import type { Reply } from "../services/policy/outcome.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../services/policy/retry-policy.ts";

export interface RetryDefence {
  /** Attempts for each call, the first included; Infinity where only the budget ends them. */
  readonly maxAttempts: number;
  readonly budget: BudgetPolicy;
  /** Refuses retries while it trips; absent: nothing does. */
  readonly rule?: BreakerRule;
}

export interface RetryModel {
  readonly defence: RetryDefence;
  /** Share of the calls that fail, 0 to 1. */
  readonly failureRate: number;
  readonly seed: number;
}

export interface RetryResult {
  /** Calls that the server saw for each that was begun. */
  readonly load: number;
  /** Share of the begun calls that ended well. */
  readonly success: number;
}

const CLIENTS = 100;
const CALLS_PER_S = 10;
const DURATION_MS = 100_000;
const ONE_WAY_MEAN_MS = 10;

const OK: Reply = { outcome: "ok", status: 200 };
const FAILED: Reply = { outcome: "failed", status: 500 };

const policyOf = ({ maxAttempts, budget }: RetryDefence): RetryPolicy => ({
  ...PLAIN_POLICY,
  maxAttempts,
  budget,
});

/** Exponentially distributed with the given mean. */
const exponential = (rng: Rng, mean: number): number => -Math.log(1 - rng()) * mean;

interface World {
  readonly clock: VirtualClock;
  readonly defence: RetryDefence;
  readonly rng: Rng;
  readonly failureRate: number;
  readonly counts: { begun: number; calls: number; succeeded: number };
}

/** One client with its own budget and its own memory of failures; the returned function begins a call. */
function createClient({ clock, defence, rng, failureRate, counts }: World): () => void {
  const policy = policyOf(defence);
  const budget = createBudget(policy.budget, clock.now());
  const { rule } = defence;
  let memory = NO_CALLS_YET;
  const heard = (attempts: number, reply: Reply): void => {
    if (rule !== undefined) memory = note(rule, memory, reply !== OK, clock.now());
    const situation = {
      reply,
      attempts,
      replayable: true,
      breakerClosed: rule === undefined || !trips(rule, memory),
      now: clock.now(),
      deadline: Infinity,
      previousDelayMs: 0,
    };
    if (reply === OK) counts.succeeded += 1;
    else if (decide(policy, situation, budget, rng).retry) attempt(attempts + 1);
  };
  const attempt = (n: number): void => {
    counts.calls += 1;
    const bothWaysMs = exponential(rng, ONE_WAY_MEAN_MS) + exponential(rng, ONE_WAY_MEAN_MS);
    const reply = rng() > failureRate ? OK : FAILED;
    clock.after(bothWaysMs, () => heard(n, reply));
  };
  return () => {
    counts.begun += 1;
    budget.deposit("request", clock.now());
    attempt(1);
  };
}

export function simulateRetries({ defence, failureRate, seed }: RetryModel): RetryResult {
  const clock = new VirtualClock();
  const rng = seededRng(seed, "clients and server");
  const counts = { begun: 0, calls: 0, succeeded: 0 };
  for (let i = 0; i < CLIENTS; i += 1) {
    const begin = createClient({ clock, defence, rng, failureRate, counts });
    const next = (): void => {
      if (clock.now() > DURATION_MS) return;
      begin();
      clock.after(exponential(rng, 1000 / CALLS_PER_S), next);
    };
    clock.after(exponential(rng, ONE_WAY_MEAN_MS), next);
  }
  clock.runUntilIdle();
  return { load: counts.calls / counts.begun, success: counts.succeeded / counts.begun };
}
