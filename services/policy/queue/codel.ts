/**
 * Drop from a queue that stands, not from one that only bursts: controlled delay.
 *
 *     a queue is bad when nobody has waited less than `target` for a whole `interval`
 *     then one is dropped, and more at intervals that shrink as interval / √count, until the wait is short again
 *
 * A bound on the length needs to be tuned to the speed of service. A bound on the shortest wait does not. The state is
 * computed at each departure from how long the departing one has waited; there is no timer.
 *
 * Source: K. Nichols, V. Jacobson, RFC 8289, section 5. Target 5 ms and interval 100 ms are its defaults.
 */

export const CODEL_TARGET_MS = 5;
export const CODEL_INTERVAL_MS = 100;

export class Codel {
  /** When the wait will have been too long for an interval; undefined while it is short. */
  private tooLongAt: number | undefined;
  private dropping = false;
  private dropNext = 0;
  private count = 0;
  private lastCount = 0;

  private standing(waitedMs: number, othersWait: boolean, now: number): boolean {
    if (waitedMs < CODEL_TARGET_MS || !othersWait) {
      this.tooLongAt = undefined;
      return false;
    }
    this.tooLongAt ??= now + CODEL_INTERVAL_MS;
    return now >= this.tooLongAt;
  }

  /**
   * Whether the one that departs at `now` after `waitedMs` is to be dropped instead of served.
   * @param othersWait whether anybody is behind it: the last one is never dropped
   */
  drops(waitedMs: number, othersWait: boolean, now: number): boolean {
    const bad = this.standing(waitedMs, othersWait, now);
    if (!bad) {
      this.dropping = false;
      return false;
    }
    if (!this.dropping) return this.begin(now);
    if (now < this.dropNext) return false;
    this.count += 1;
    this.dropNext += CODEL_INTERVAL_MS / Math.sqrt(this.count);
    return true;
  }

  /** Starts again near the rate at which it dropped last, if that was not long ago. */
  private begin(now: number): boolean {
    const recent = now - this.dropNext < 16 * CODEL_INTERVAL_MS;
    const delta = this.count - this.lastCount;
    this.count = recent && delta > 1 ? delta : 1;
    this.lastCount = this.count;
    this.dropping = true;
    this.dropNext = now + CODEL_INTERVAL_MS / Math.sqrt(this.count);
    return true;
  }
}
