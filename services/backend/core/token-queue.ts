/**
 * The queue in front of the throttle: calls that wait for a token, in their order.
 *
 * Bounds and limits are checked before a call gets here. When its turn comes, a call is not served if its caller has
 * left the queue, its deadline has passed (where those are dropped), or CoDel drops it.
 */
import type { Cancel, Clock } from "../../policy/clock.ts";
import type { BackendDefences } from "./config.ts";
import { Codel } from "../../policy/queue/codel.ts";
import type { Job } from "./job.ts";
import { createQueue, type Queue } from "../../policy/queue/order.ts";
import { Throttle } from "./throttle.ts";

/** The most entries of callers who have left that stay in the queue, on top of twice the number of those who wait. */
const LEFT_BEHIND = 1024;

/** What one call counts in the mean service time: some eight calls are remembered. */
const SERVICE_SMOOTHING = 1 / 8;

/** What becomes of a job whose turn has come. */
export interface Turns {
  start(job: Job): void;
  expire(job: Job): void;
  shed(job: Job): void;
}

/** Tokens per second, and the most that are saved up. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export class TokenQueue {
  private readonly clock: Clock;
  private readonly turns: Turns;
  private defences: BackendDefences;
  private throttle: Throttle;
  private queue: Queue<Job>;
  private codel = new Codel();
  private tokenTimer: Cancel | undefined;
  /** Jobs that wait; those who have left are not among them. */
  waiting = 0;
  /** How long calls take once they have begun, as a mean that moves with the last few; 0 at first. */
  private serviceMs = 0;
  /** The most that waited at a time since the run began. */
  longest = 0;

  constructor(clock: Clock, defences: BackendDefences, { perSecond, burst }: Rate, turns: Turns) {
    this.clock = clock;
    this.turns = turns;
    this.defences = defences;
    this.throttle = new Throttle(perSecond, burst, clock.now());
    this.queue = createQueue(defences.queueOrder ?? "fifo");
  }

  /** Takes a token for a call that need not wait. */
  tryPass(now: number): boolean {
    return this.waiting === 0 && this.throttle.tryTake(now);
  }

  push(job: Job): void {
    this.queue.push(job);
    this.waiting += 1;
    this.longest = Math.max(this.longest, this.waiting);
    this.drain();
  }

  /** A call has ended `tookMs` after its token. */
  served(tookMs: number): void {
    this.serviceMs += (tookMs - this.serviceMs) * (this.serviceMs === 0 ? 1 : SERVICE_SMOOTHING);
  }

  /** `job` waits no longer; its state says so already. */
  leave(): void {
    this.waiting -= 1;
    // An entry that has left takes up room until the head of the queue comes by, which may be never.
    if (this.queue.length > 2 * this.waiting + LEFT_BEHIND) this.queue.retain((one) => one.state === "waiting");
  }

  tokens(now: number): number {
    return this.throttle.balance(now);
  }

  change({ perSecond, burst }: Rate): void {
    this.throttle.change(perSecond, burst, this.clock.now());
    this.tokenTimer?.();
    this.tokenTimer = undefined;
    this.drain();
  }

  configure(defences: BackendDefences): void {
    const isReordered = defences.queueOrder !== this.defences.queueOrder;
    this.defences = defences;
    if (isReordered) this.reorder();
  }

  /** Forgets whoever waits. */
  begin({ perSecond, burst }: Rate): void {
    this.queue.retain((job) => {
      job.state = "over";
      return false;
    });
    this.waiting = 0;
    this.throttle = new Throttle(perSecond, burst, this.clock.now());
    this.codel = new Codel();
    this.longest = 0;
  }

  private reorder(): void {
    const now = this.clock.now();
    const before = this.queue;
    this.queue = createQueue(this.defences.queueOrder ?? "fifo");
    for (let job = before.shift(now); job !== undefined; job = before.shift(now)) this.queue.push(job);
  }

  /** Gives tokens to the queue in its order for as long as there are any, then waits for the next one. */
  private drain(): void {
    const now = this.clock.now();
    const { dropExpired, dropLate = false, codel } = this.defences;
    const lastUseful = dropLate ? now + this.serviceMs : dropExpired ? now : -Infinity;
    for (let job = this.queue.peek(now); job !== undefined; job = this.queue.peek(now)) {
      const gone = job.state === "over";
      const expired = !gone && job.expiresAt <= lastUseful;
      if (!gone && !expired && this.throttle.waitMs(now) > 0) break;
      this.queue.shift(now);
      if (gone) continue;
      this.waiting -= 1;
      if (expired) this.turns.expire(job);
      else if (codel === true && this.codel.drops(now - job.joinedAt, this.waiting > 0, now)) this.turns.shed(job);
      else if (this.throttle.tryTake(now)) this.turns.start(job);
    }
    if (this.waiting === 0 || this.tokenTimer !== undefined) return;
    this.tokenTimer = this.clock.after(this.throttle.waitMs(now), () => {
      this.tokenTimer = undefined;
      this.drain();
    });
  }
}
