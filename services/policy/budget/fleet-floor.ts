/**
 * What an instance may still do when the budget that it shares cannot be asked: so many retries a second, from the
 * moment at which the store fell silent to the one at which it answers again, and at most those of one second at once.
 *
 * It drips only while it is open, so it never adds more than perSecond · (time without the store) to a run.
 */
import { ROUNDING } from "./bucket.ts";

export class Floor {
  private readonly perSecond: number;
  private saved = 0;
  private openedAt: number | undefined;

  /** @param perSecond retries, 0 or more */
  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** Milliseconds of the clock in use, as everywhere here. Opening what is open changes nothing. */
  open(now: number): void {
    this.openedAt ??= now;
  }

  /** What was saved up stays for the next time. */
  close(now: number): void {
    this.balance(now);
    this.openedAt = undefined;
  }

  /** Retries affordable now; a fraction counts. */
  balance(now: number): number {
    if (this.openedAt === undefined) return 0;
    const dripped = (Math.max(0, now - this.openedAt) * this.perSecond) / 1000;
    this.openedAt = Math.max(now, this.openedAt);
    // A floor below one a second needs room for a whole retry, or it could never be spent.
    this.saved = Math.min(Math.max(1, this.perSecond), this.saved + dripped);
    return this.saved;
  }

  take(now: number): boolean {
    if (this.balance(now) < 1 - ROUNDING) return false;
    this.saved = Math.max(0, this.saved - 1);
    return true;
  }
}
