/**
 * A second copy of a slow read, at another replica; the first good answer wins.
 *
 *     delay       the copy goes out `delayMs` after the original, if that has not been answered by then
 *     quantile    … after the time that, say, 95 % of the originals needed lately: about 5 % of the requests are copied
 *     tied        both go out at once; the replica that begins first takes the other copy out of the other's queue
 *
 *     copies ≤ ratio · requests      (a token bucket of its own that starts empty, filled by each request)
 *
 * It cuts the tail where slowness is random: one replica, at one moment. It cannot help where both copies meet the same
 * slowness (a slow key, or all replicas slow). It harms where the callee has too much to do: then everything is slow,
 * and each copy makes it slower. So there is a budget, and no copy goes out while the breaker is not closed or a shed
 * reply is less than a second old. A copy that is refused changes nothing for its original.
 *
 * Only what may be done twice is copied, and only reads: a write with a key would keep its effect single, but the
 * second copy would wait for the first.
 *
 * Sources: J. Dean, L. A. Barroso, "The Tail at Scale", CACM 56(2), 2013 (hedged and tied requests, hedging at the 95th
 * percentile); gRPC proposal A6 (hedging, server pushback stops it); twitter/finagle BackupRequestFilter (quantile,
 * budget).
 */
import { createBudget, type Budget } from "../budget/budget.ts";
import { isOverload, type Reply } from "../outcome.ts";
import { RecentQuantile } from "./quantile.ts";

export const HEDGE_KINDS = ["off", "delay", "quantile", "tied"] as const;

export type HedgeTrigger =
  /** `delayMs`: milliseconds, 0 or more. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** `quantile`: more than 0, less than 1. */
  | { readonly kind: "quantile"; readonly quantile: number }
  | { readonly kind: "tied" };

export interface HedgePolicy {
  readonly trigger: HedgeTrigger;
  /** Copies allowed for each request: 0.05 adds at most 5 %. 0 to 1. */
  readonly ratio: number;
  /** The most copies that can be saved up, hence the most that go out in one moment; 1 or more, 10 where absent. */
  readonly burst?: number;
}

/** What became of a second copy: sent · sent, and its answer was used · not sent: a bad sign, or no budget. */
export const HEDGE_EVENTS = ["sent", "won", "suppressed", "denied"] as const;
export type HedgeEvent = (typeof HEDGE_EVENTS)[number];

const BURST = 10;
/** How long a shed reply keeps copies back, in milliseconds. */
export const SHED_IS_FRESH_MS = 1000;

/** Decides about the second copies of one hop. Times in milliseconds of one clock. */
export class Hedger {
  readonly tied: boolean;
  private readonly trigger: HedgeTrigger;
  private readonly budget: Budget;
  private readonly observed: RecentQuantile | undefined;
  private shedAt = -Infinity;

  constructor({ trigger, ratio, burst = BURST }: HedgePolicy, now: number) {
    this.trigger = trigger;
    this.tied = trigger.kind === "tied";
    this.observed = trigger.kind === "quantile" ? new RecentQuantile(trigger.quantile) : undefined;
    this.budget = createBudget({ kind: "token-bucket", ratio, burst, start: 0, minPerSecond: 0 }, now);
  }

  /** Notes a logical request: it pays for copies. */
  deposit(now: number): void {
    this.budget.deposit("request", now);
  }

  /** How long to wait for an original before its copy is due; undefined where too little is known to hedge at all. */
  delayMs(): number | undefined {
    if (this.trigger.kind === "delay") return this.trigger.delayMs;
    return this.observed === undefined ? 0 : this.observed.value();
  }

  /**
   * An original has ended after `elapsedMs`. One that lost to its copy counts with the time that it had taken by then,
   * which is beyond the quantile already: left out, it would pull the quantile down, and with it ever more copies out.
   */
  originalEnded({ outcome }: Reply, elapsedMs: number): void {
    if (outcome === "ok" || outcome === "timeout" || outcome === "cancelled") this.observed?.note(elapsedMs);
  }

  /** Any attempt has ended. */
  heard(reply: Reply, now: number): void {
    if (isOverload(reply)) this.shedAt = now;
  }

  /** What becomes of a copy that is due; takes one from the budget if, and only if, it may be sent. */
  ask(breakerClosed: boolean, now: number): Exclude<HedgeEvent, "won"> {
    if (!breakerClosed || now - this.shedAt < SHED_IS_FRESH_MS) return "suppressed";
    return this.budget.tryWithdraw(now) ? "sent" : "denied";
  }
}
