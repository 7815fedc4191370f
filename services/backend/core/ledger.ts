/**
 * What was really done: the side effects of the writes.
 *
 * A write whose answer was lost has still happened. The ledger counts effects for each intention (the idempotency key,
 * or the order's id where there is none), so that an order that was placed twice shows as a duplicate.
 *
 * Memory is bounded: the oldest intentions are forgotten first.
 */

const REMEMBERED = 65_536;

/** A map from keys to counts that forgets its oldest key beyond a limit. */
export class BoundedCounts {
  private readonly counts = new Map<string, number>();
  private readonly limit: number;

  constructor(limit = REMEMBERED) {
    this.limit = limit;
  }

  /** Adds one to `key` and returns what its count was before. */
  next(key: string): number {
    const before = this.counts.get(key) ?? 0;
    if (before === 0 && this.counts.size >= this.limit) {
      const oldest = this.counts.keys().next();
      if (oldest.done !== true) this.counts.delete(oldest.value);
    }
    this.counts.set(key, before + 1);
    return before;
  }

  get(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  clear(): void {
    this.counts.clear();
  }
}

export class Ledger {
  private readonly perIntention = new BoundedCounts();
  effects = 0;
  /** Effects beyond the first for one intention. */
  duplicates = 0;

  record(intention: string): void {
    this.effects += 1;
    if (this.perIntention.next(intention) > 0) this.duplicates += 1;
  }

  clear(): void {
    this.perIntention.clear();
    this.effects = 0;
    this.duplicates = 0;
  }
}
