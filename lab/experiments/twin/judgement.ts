/**
 * Do prediction and measurement agree? Judged for one policy in one scenario, from pairs of runs with the same seed.
 *
 *     by tolerance      the medians over the seeds lie no further apart than the measure allows
 *     by distribution   for a policy at the tipping point, where one request more or less decides whether a run storms:
 *                       two sets of runs, compared in their level (mean) and in their spread (mean distance from the
 *                       median). They disagree where the difference is larger than the tolerance and larger than chance
 *                       explains: permutation test, p < 0.01.
 *
 * The test takes the two sets as independent. They are not, since each seed meets the same random numbers in both worlds, so it
 * errs on the side of agreement; the differences seed by seed (explanation.ts) show more.
 *
 * Source: M. Brown, A. Forsythe, "Robust tests for the equality of variances", JASA 1974, for the spread.
 */
import { mean, median, permutationTest } from "simple-statistics";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { seededRng } from "../../../services/policy/rng.ts";
import type { MeasureName } from "../../runs/measures.ts";
import { TWIN_MEASURES, type TwinMeasure } from "./tolerances.ts";
import { permutationKey } from "../../../services/policy/rng-keys.ts";

export type JudgedBy = "tolerance" | "distribution";

/** One seed in both worlds. */
export interface RunPair {
  readonly measured: RunSummary;
  readonly predicted: RunSummary;
}

export interface Side {
  readonly measured: number;
  readonly predicted: number;
}

/** A comparison of two sets of runs in one respect. */
export interface PermutationTest extends Side {
  /** How probable a difference of this size is by chance alone, 0 to 1. */
  readonly p: number;
}

export interface MeasureVerdict extends Side {
  readonly measure: MeasureName;
  /** measured − predicted. */
  readonly difference: number;
  /** The tolerance in the measure's own unit. */
  readonly allowed: number;
  /** Where judged by distribution. */
  readonly chance: { readonly level: PermutationTest; readonly spread: PermutationTest } | null;
  readonly agrees: boolean;
}

export interface JudgedRuns {
  readonly scenario: string;
  readonly policy: string;
  readonly by: JudgedBy;
  /** Runs over HTTP that were asked for. */
  readonly asked: number;
  /** One for each seed, whether its run over HTTP is valid or not. */
  readonly pairs: readonly RunPair[];
}

export interface InvalidRun {
  readonly seed: number;
  readonly reasons: readonly string[];
}

export interface TwinVerdict extends Omit<JudgedRuns, "pairs"> {
  readonly validRuns: number;
  readonly neededRuns: number;
  /** Runs over HTTP that do not count. */
  readonly invalid: readonly InvalidRun[];
  /** Empty where there are too few valid runs. */
  readonly measures: readonly MeasureVerdict[];
  readonly verdict: "agrees" | "disagrees" | "too few valid runs";
}

/** Fewer runs than this say too little about a distribution. */
export const LEAST_FOR_DISTRIBUTION = 20;

/** As many valid runs are enough for a median, where so many were asked for. */
const ENOUGH_FOR_MEDIAN = 3;

/** A difference that chance brings less often than this is a difference. */
const SIGNIFICANCE = 0.01;

const PERMUTATIONS = 10_000;

export function neededRuns(by: JudgedBy, asked: number): number {
  return by === "distribution" ? LEAST_FOR_DISTRIBUTION : Math.min(ENOUGH_FOR_MEDIAN, asked);
}

interface Values {
  readonly measured: readonly number[];
  readonly predicted: readonly number[];
}

function permuted({ measured, predicted }: Values, key: string, permutations: number): PermutationTest {
  const p = permutationTest([...measured], [...predicted], "two_side", permutations, seededRng(1, permutationKey(key)));
  return { measured: mean([...measured]), predicted: mean([...predicted]), p };
}

function distancesFromMedian(values: readonly number[]): number[] {
  const middle = median([...values]);
  return values.map((value) => Math.abs(value - middle));
}

const apart = ({ measured, predicted }: Side): number => Math.abs(measured - predicted);

/** Summing in another order must not decide. */
const ROUNDING = 1e-9;

function byTolerance({ name, allowed: allowedAt }: TwinMeasure, values: Values): MeasureVerdict {
  const side = { measured: median([...values.measured]), predicted: median([...values.predicted]) };
  const allowed = allowedAt(side.predicted);
  const agrees = apart(side) <= allowed + ROUNDING;
  return {
    measure: name,
    ...side,
    difference: side.measured - side.predicted,
    allowed,
    chance: null,
    agrees,
  };
}

function byDistribution(
  { name, allowed: allowedAt }: TwinMeasure,
  values: Values,
  permutations: number,
): MeasureVerdict {
  const level = permuted(values, `${name}/level`, permutations);
  const distances = {
    measured: distancesFromMedian(values.measured),
    predicted: distancesFromMedian(values.predicted),
  };
  const spread = permuted(distances, `${name}/spread`, permutations);
  const allowed = allowedAt(level.predicted);
  const differs = (test: PermutationTest): boolean => apart(test) > allowed + ROUNDING && test.p < SIGNIFICANCE;
  const { measured, predicted } = level;
  return {
    measure: name,
    measured,
    predicted,
    difference: measured - predicted,
    allowed,
    chance: { level, spread },
    agrees: !differs(level) && !differs(spread),
  };
}

function measuresOf(by: JudgedBy, pairs: readonly RunPair[], permutations: number): MeasureVerdict[] {
  return TWIN_MEASURES.map((measure) => {
    const values = {
      measured: pairs.flatMap(({ measured }) => measure.of(measured) ?? []),
      predicted: pairs.flatMap(({ predicted }) => measure.of(predicted) ?? []),
    };
    return by === "tolerance" ? byTolerance(measure, values) : byDistribution(measure, values, permutations);
  });
}

/** Only seeds whose run over HTTP is valid count, in both worlds. @param permutations of each test, 1 or more */
export function judge({ pairs, ...runs }: JudgedRuns, permutations = PERMUTATIONS): TwinVerdict {
  const valid = pairs.filter(({ measured }) => measured.valid);
  const invalid = pairs
    .filter(({ measured }) => !measured.valid)
    .map(({ measured: { seed, invalidReasons } }) => ({ seed, reasons: invalidReasons }));
  const needed = neededRuns(runs.by, runs.asked);
  const counted = { ...runs, validRuns: valid.length, neededRuns: needed, invalid };
  if (valid.length < needed) return { ...counted, measures: [], verdict: "too few valid runs" };
  const measures = measuresOf(runs.by, valid, permutations);
  return { ...counted, measures, verdict: measures.every(({ agrees }) => agrees) ? "agrees" : "disagrees" };
}
