/**
 * The throttle of the published lab: nothing queues. Above the capacity, every call is slower and fails more often.
 *
 *     rate      arrivals of the last second, in ten buckets of 100 ms
 *     over      max(0, rate − capacity) / capacity
 *     latency   base + over · 1,500 ms
 *     failure   min(0.95, base + over)
 *
 * It is here so that the published figures can be reproduced with the model that they were made by (docs/published.md).
 * The queue of throttle.ts is the better model of a dependency: here an overload is forgotten one second after it ends.
 */

const BUCKET_MS = 100;
const BUCKETS = 10;
const MS_FOR_TWICE = 1500;
const MOST_FAILURES = 0.95;

/** Arrivals of the last second. */
export class RecentArrivals {
  private readonly buckets = Array.from({ length: BUCKETS }, () => 0);
  private newest = 0;

  private moveTo(now: number): void {
    const current = Math.floor(now / BUCKET_MS);
    const stale = Math.min(BUCKETS, current - this.newest);
    for (let i = 0; i < stale; i += 1) this.buckets[(current - i) % BUCKETS] = 0;
    this.newest = Math.max(this.newest, current);
  }

  /** @param now milliseconds, never falling */
  add(now: number): void {
    this.moveTo(now);
    const bucket = this.newest % BUCKETS;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }

  /** Arrivals per second at `now`. */
  rate(now: number): number {
    this.moveTo(now);
    return this.buckets.reduce((sum, count) => sum + count, 0);
  }
}

export interface Penalty {
  /** Milliseconds that a call takes longer. */
  readonly latencyMs: number;
  /** Share of the calls that fail, 0 to 1. */
  readonly errorRate: number;
}

/** @param rate arrivals per second @param capacity more than 0 @param errorRate what fails anyway, 0 to 1 */
export function penaltyOf(rate: number, capacity: number, errorRate: number): Penalty {
  const over = Math.max(0, rate - capacity) / capacity;
  if (over === 0) return { latencyMs: 0, errorRate };
  return { latencyMs: over * MS_FOR_TWICE, errorRate: Math.min(MOST_FAILURES, errorRate + over) };
}
