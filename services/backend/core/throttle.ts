/**
 * The backend's throttle: tokens at a steady rate, with room for a small burst.
 *
 *     tokens(t) = min(burst, tokens(t0) + capacity · (t − t0));  a call takes one
 *
 * The bucket starts full. All is computed from `now`; there is no timer here.
 */

/**
 * What binary fractions lose must not cost a token: 9 · (1/9) is a little less than 1, and at a clock of 10^7 ms and
 * 100,000 tokens a second the clock's own last digit is worth 10^-7 tokens.
 */
const ROUNDING = 1e-6;

/** A shorter wait could be less than the clock's last digit: time would stand still, and the waiting never end. */
const SHORTEST_WAIT_MS = 0.001;

export class Throttle {
  private tokens: number;
  private filledAt: number;
  private perSecond: number;
  private burst: number;

  /** @param perSecond more than 0 @param burst the most tokens saved up, 1 or more */
  constructor(perSecond: number, burst: number, now: number) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = burst;
    this.filledAt = now;
  }

  private fill(now: number): void {
    if (now <= this.filledAt) return;
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
  }

  tryTake(now: number): boolean {
    this.fill(now);
    if (this.tokens < 1 - ROUNDING) return false;
    this.tokens = Math.max(0, this.tokens - 1);
    return true;
  }

  /** Milliseconds until a token is there, 0 when one is. */
  waitMs(now: number): number {
    this.fill(now);
    if (this.tokens >= 1 - ROUNDING) return 0;
    return Math.max(SHORTEST_WAIT_MS, ((1 - this.tokens) / this.perSecond) * 1000);
  }

  balance(now: number): number {
    this.fill(now);
    return this.tokens;
  }

  /** Changes the rate from now on; tokens beyond a smaller burst are lost. */
  change(perSecond: number, burst: number, now: number): void {
    this.fill(now);
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = Math.min(burst, this.tokens);
  }
}
