/**
 * Quantiles of durations in bounded memory: an HDR histogram in whole microseconds. With three significant digits each
 * quantile is right to 0.1 %, with two to 1 %, in a tenth of the memory. The largest value is kept as it is.
 */
import { build, type Histogram } from "hdr-histogram-js";

/** An hour in microseconds: a longer duration counts as an hour, except as the maximum. */
const LONGEST_US = 3_600_000_000;

export class Quantiles {
  private readonly histogram: Histogram;
  private longest = 0;

  /** @param digits significant ones */
  constructor(digits: 2 | 3 = 3) {
    this.histogram = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: LONGEST_US,
      numberOfSignificantValueDigits: digits,
    });
  }

  add(ms: number): void {
    this.histogram.recordValue(Math.min(LONGEST_US, Math.max(0, Math.round(ms * 1000))));
    this.longest = Math.max(this.longest, ms);
  }

  addAll(other: Quantiles): void {
    this.histogram.add(other.histogram);
    this.longest = Math.max(this.longest, other.longest);
  }

  /** In milliseconds, the value that `share` (0 to 1) of the durations do not exceed; null where there are none. */
  at(share: number): number | null {
    if (this.histogram.totalCount === 0) return null;
    // The histogram gives the upper end of a bucket, which may lie beyond the largest value that was seen.
    return Math.min(this.longest, this.histogram.getValueAtPercentile(share * 100) / 1000);
  }

  /** null where there are none. */
  max(): number | null {
    return this.histogram.totalCount === 0 ? null : this.longest;
  }
}
