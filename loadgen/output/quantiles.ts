/**
 * Quantiles of durations in bounded memory: an HDR histogram in whole microseconds, three significant digits, so each
 * quantile is right to 0.1 %. The largest value is kept as it is.
 */
import { build } from "hdr-histogram-js";

/** An hour in microseconds: a longer duration counts as an hour, except as the maximum. */
const LONGEST_US = 3_600_000_000;

export interface Quantiles {
  add(ms: number): void;
  /** In milliseconds, the value that `share` (0 to 1) of the durations do not exceed; 0 where there are none. */
  at(share: number): number;
  max(): number;
}

export function createQuantiles(): Quantiles {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: 3,
  });
  let max = 0;
  return {
    add(ms) {
      histogram.recordValue(Math.min(LONGEST_US, Math.max(0, Math.round(ms * 1000))));
      max = Math.max(max, ms);
    },
    // The histogram gives the upper end of a bucket, which may lie beyond the largest value that was seen.
    at: (share) => Math.min(max, histogram.getValueAtPercentile(share * 100) / 1000),
    max: () => max,
  };
}
