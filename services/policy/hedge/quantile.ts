/**
 * "How slow is slow?": a quantile of what was observed lately, in bounded memory.
 *
 * Durations fall into buckets that grow by 2 % each, so an answer is at most 2 % too high and never too low: one that
 * is too low would call ordinary answers slow. Two generations of 512 observations are kept; when the younger is full
 * the older one is forgotten, so the answer follows the last 512 to 1,024 observations. There is no clock.
 *
 * Source: G. Tene's HdrHistogram, for buckets of constant relative width.
 */

/** Before this many observations nothing is said: the slowest of five is no 95th percentile. */
export const LEAST_SAMPLES = 20;

const SMALLEST_MS = 0.01;
const GROWTH = 1.02;
/** The last bucket begins at about seven minutes and takes whatever is longer. */
const BUCKETS = 900;
const GENERATION = 512;
/** The answer is computed anew after so many observations. */
const REFRESH = 16;

/** What binary fractions add must not count as one more observation. */
const ROUNDING = 1e-9;

const LOG_GROWTH = Math.log(GROWTH);

function bucketOf(ms: number): number {
  if (ms <= SMALLEST_MS) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / SMALLEST_MS) / LOG_GROWTH));
}

export class RecentQuantile {
  private readonly quantile: number;
  private young = new Uint32Array(BUCKETS);
  private old = new Uint32Array(BUCKETS);
  private inYoung = 0;
  private inOld = 0;
  private sinceAnswer = 0;
  private answer: number | undefined;

  /** @param quantile more than 0, less than 1 */
  constructor(quantile: number) {
    this.quantile = quantile;
  }

  /** @param ms 0 or more */
  note(ms: number): void {
    if (this.inYoung === GENERATION) this.turn();
    const bucket = bucketOf(ms);
    this.young[bucket] = (this.young[bucket] ?? 0) + 1;
    this.inYoung += 1;
    this.sinceAnswer += 1;
  }

  /** Milliseconds that the quantile's share of the recent observations stayed within; undefined for too few of them. */
  value(): number | undefined {
    if (this.inYoung + this.inOld < LEAST_SAMPLES) return undefined;
    if (this.answer === undefined || this.sinceAnswer >= REFRESH) {
      this.answer = this.computed();
      this.sinceAnswer = 0;
    }
    return this.answer;
  }

  private turn(): void {
    const forgotten = this.old;
    this.old = this.young;
    this.young = forgotten.fill(0);
    this.inOld = this.inYoung;
    this.inYoung = 0;
  }

  private computed(): number {
    let left = this.quantile * (this.inYoung + this.inOld);
    let bucket = 0;
    for (; bucket < BUCKETS - 1; bucket += 1) {
      left -= (this.young[bucket] ?? 0) + (this.old[bucket] ?? 0);
      if (left <= ROUNDING) break;
    }
    return SMALLEST_MS * GROWTH ** bucket;
  }
}
