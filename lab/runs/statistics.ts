/**
 * Medians with their uncertainty.
 *
 * The interval is a percentile bootstrap: the median of many resamples of the runs, and of those medians the middle 95 %.
 * It assumes nothing of the shape of the distribution, which is just as well, since a policy at the tipping point is
 * bistable. With few runs it is too narrow rather than too wide; ten is a sensible least.
 *
 * Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 13.
 */
import { z } from "zod";
import { median, quantile, sampleWithReplacement } from "simple-statistics";
import { seededRng } from "../../services/policy/rng.ts";
import { bootstrapKey } from "../../services/policy/rng-keys.ts";

export interface Estimate {
  readonly median: number;
  /** Ends of the 95 % interval of the median. */
  readonly low: number;
  readonly high: number;
  /** The smallest and the largest of the values. */
  readonly min: number;
  readonly max: number;
}

export const ESTIMATE_FORM: z.ZodType<Estimate> = z.looseObject({
  median: z.number(),
  low: z.number(),
  high: z.number(),
  min: z.number(),
  max: z.number(),
});

const RESAMPLES = 1000;

/** Values of runs that measured nothing are null. */
const measured = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** What `estimate` gets where the values have no order of their own, since its resamples depend on it. */
export const ascending = (values: readonly (number | null)[]): number[] => measured(values).toSorted((a, b) => a - b);

/**
 * Of the values that there are; null where there is none.
 * @param values null for a run that measured nothing
 * @param key names the random numbers: the same values in the same order give the same interval
 */
export function estimate(values: readonly (number | null)[], key: string): Estimate | null {
  const all = measured(values);
  if (all.length === 0) return null;
  const rng = seededRng(1, bootstrapKey(key));
  const medians = Array.from({ length: RESAMPLES }, () => median(sampleWithReplacement(all, all.length, rng)));
  return {
    median: median(all),
    low: quantile(medians, 0.025),
    high: quantile(medians, 0.975),
    min: Math.min(...all),
    max: Math.max(...all),
  };
}

/** An estimate for each of `names`. @param of the values of each @param key as above, and it is theirs too */
export function estimates<Name extends string>(
  names: readonly Name[],
  of: (name: Name) => readonly (number | null)[],
  key: string,
): Record<Name, Estimate | null> {
  const entries = names.map((name) => [name, estimate(of(name), `${key}/${name}`)]);
  return Object.fromEntries(entries) as Record<Name, Estimate | null>;
}
