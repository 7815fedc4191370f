/**
 * Tied requests: two copies of one read in the queues of two replicas, of which one is served.
 *
 *     the copy that begins first tells the other replica, which hears of it `delayMs` later. If its own copy still
 *     waits then, it takes it out of the queue, and no token is spent on it. If both have begun, both are served
 *
 * Waiting in two queues beats guessing which one is shorter, and costs the work of one call, but for those cases in
 * which both begin within one message delay.
 *
 * The copies know each other by the order's id and the attempt number of the first of them.
 *
 * Source: J. Dean, L. A. Barroso, "The Tail at Scale", CACM 56(2), 2013, "tied requests".
 */
import type { Clock } from "../../policy/clock.ts";

/** First copies whose second one has not come yet. The oldest are forgotten: what is forgotten is served twice. */
const REMEMBERED = 65_536;

/** Takes a copy out of its queue, if it still waits there. */
export type Withdraw = () => void;

/** One copy's hold on the pair. */
export interface Tie {
  /** Whether the other copy has begun, and the word of it has arrived. */
  isServedElsewhere(): boolean;
  /** This copy begins. */
  begin(): void;
}

class Pair {
  private readonly clock: Clock;
  private readonly delayMs: number;
  /** Those that may still wait; none once one has begun, so that nothing of a served call is held. */
  private copies: readonly Withdraw[] = [];
  private begunAt: number | undefined;

  constructor(clock: Clock, delayMs: number) {
    this.clock = clock;
    this.delayMs = delayMs;
  }

  join(withdraw: Withdraw): Tie {
    if (this.begunAt === undefined) this.copies = [...this.copies, withdraw];
    const leftMs = this.begunAt === undefined ? undefined : this.begunAt + this.delayMs - this.clock.now();
    if (leftMs !== undefined && leftMs > 0) this.clock.after(leftMs, withdraw);
    return {
      isServedElsewhere: () => leftMs !== undefined && leftMs <= 0,
      begin: () => this.begin(withdraw),
    };
  }

  private begin(own: Withdraw): void {
    this.begunAt ??= this.clock.now();
    for (const withdraw of this.copies) {
      if (withdraw === own) continue;
      if (this.delayMs > 0) this.clock.after(this.delayMs, withdraw);
      else withdraw();
    }
    this.copies = [];
  }
}

export class Ties {
  private readonly clock: Clock;
  private readonly delayMs: number;
  private readonly half = new Map<string, Pair>();

  /** @param delayMs how long a word takes from one replica to the other, 0 or more */
  constructor(clock: Clock, delayMs: number) {
    this.clock = clock;
    this.delayMs = delayMs;
  }

  /** A copy of order `id` has arrived; `first` is the attempt number of the first copy. */
  join(id: string, first: number, withdraw: Withdraw): Tie {
    const key = `${id}#${first}`;
    const known = this.half.get(key);
    if (known !== undefined) {
      this.half.delete(key);
      return known.join(withdraw);
    }
    if (this.half.size >= REMEMBERED) {
      const oldest = this.half.keys().next();
      if (oldest.done !== true) this.half.delete(oldest.value);
    }
    const pair = new Pair(this.clock, this.delayMs);
    this.half.set(key, pair);
    return pair.join(withdraw);
  }

  clear(): void {
    this.half.clear();
  }
}
