/**
 * Policies beside each other, over the same seeds.
 *
 * Under common random numbers the runs of one seed meet the same arrivals and the same errors, so what differs between
 * two policies is their doing. That is why the differences are taken seed by seed, and only then summed up.
 */
import { z } from "zod";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import type { ExperimentContext } from "./context.ts";
import { MEASURE_NAMES, measureNamed, type MeasureName } from "./measures.ts";
import { runArms, type Arm, type Trial } from "./run-arms.ts";
import { ESTIMATE_FORM, estimates, type Estimate } from "./statistics.ts";

export interface ComparedPolicy {
  readonly policy: string;
  readonly runs: number;
  readonly validRuns: number;
  /** null where no run measured it. */
  readonly metrics: Readonly<Record<MeasureName, Estimate | null>>;
  /** This policy minus the first one, seed by seed; null for the first. */
  readonly difference: Readonly<Record<MeasureName, Estimate | null>> | null;
}

export interface Comparison {
  readonly schema: 1;
  readonly world: string;
  readonly seeds: readonly number[];
  readonly policies: readonly ComparedPolicy[];
}

const NOT_MEASURED = Object.fromEntries(MEASURE_NAMES.map((name) => [name, null])) as Record<MeasureName, null>;

/** A measure that is missing was none yet when the comparison was made: not measured. */
const METRICS_FORM = z
  .partialRecord(z.enum(MEASURE_NAMES), ESTIMATE_FORM.nullable())
  .transform((metrics): ComparedPolicy["metrics"] => ({ ...NOT_MEASURED, ...metrics }));

/** comparison.json, for whoever reads it again. */
export const COMPARISON_FORM: z.ZodType<Comparison> = z.looseObject({
  schema: z.literal(1),
  world: z.string(),
  seeds: z.array(z.number()),
  policies: z.array(
    z.looseObject({
      policy: z.string(),
      runs: z.number(),
      validRuns: z.number(),
      metrics: METRICS_FORM,
      difference: METRICS_FORM.nullable(),
    }),
  ),
});

/** The runs of `policy`, in the order of `seeds`. */
function runsOf(runs: readonly RunSummary[], policy: string, seeds: readonly number[]): RunSummary[] {
  return seeds.map((seed) => {
    const found = runs.find((run) => run.policy === policy && run.seed === seed);
    if (found === undefined) throw new RangeError(`there is no run of ${policy} with seed ${seed}`);
    return found;
  });
}

const differences = (name: MeasureName, own: readonly RunSummary[], base: readonly RunSummary[]): (number | null)[] => {
  const { of } = measureNamed(name);
  return own.map((run, i) => {
    const [mine, theirs] = [of(run), of(base[i] ?? run)];
    return mine === null || theirs === null ? null : mine - theirs;
  });
};

/**
 * @param runs one for each policy and seed, in any order; the first run's policy is the one that others are set against
 * @throws RangeError when one is missing
 */
export function comparisonOf(runs: readonly RunSummary[]): Comparison {
  const seeds = [...new Set(runs.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  const names = [...new Set(runs.map(({ policy }) => policy))];
  const [first = ""] = names;
  const base = runsOf(runs, first, seeds);
  const policies = names.map((policy): ComparedPolicy => {
    const own = runsOf(runs, policy, seeds);
    return {
      policy,
      runs: own.length,
      validRuns: own.filter(({ valid }) => valid).length,
      metrics: estimates(MEASURE_NAMES, (name) => own.map(measureNamed(name).of), policy),
      difference:
        policy === first
          ? null
          : estimates(MEASURE_NAMES, (name) => differences(name, own, base), `${policy}-${first}`),
    };
  });
  return { schema: 1, world: runs[0]?.world ?? "", seeds, policies };
}

/** Runs every arm and sets them beside each other by name. @throws ConfigError with the faults of all settings */
export async function compareArms(context: ExperimentContext, trial: Trial<Arm>): Promise<Comparison> {
  const found = await runArms(context, trial, ({ summary }, { name }) => ({ ...summary, policy: name }));
  return comparisonOf(found.flatMap(({ runs }) => runs));
}
