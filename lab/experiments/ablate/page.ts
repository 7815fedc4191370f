/** An ablation in the form that the report draws. */
import type { AblationData as Reported, Interval } from "../../report/data/model.ts";
import { percent } from "../../../loadgen/core/format.ts";
import type { AblatedArm, Ablation } from "./experiment.ts";
import type { Estimate } from "../../runs/statistics.ts";

const success = ({ metrics }: AblatedArm): number | null => metrics.success?.median ?? null;

/** The policy itself, and what of its variants is best and worst. */
function findingOf(arms: readonly AblatedArm[]): string {
  const [own, ...variants] = arms;
  if (own === undefined) return "";
  const told = (arm: AblatedArm): string => `${arm.name} (${percent(success(arm))})`;
  const sorted = variants.toSorted((a, b) => (success(a) ?? 0) - (success(b) ?? 0));
  const [worst, best] = [sorted[0], sorted.at(-1)];
  const rest = worst === undefined || best === undefined ? "" : `; best ${told(best)}, worst ${told(worst)}`;
  return `Share of the requests that succeeded: ${told(own)}${rest}.`;
}

/** One for each policy that was ablated. */
export function reportedAblations({ seeds, groups }: Ablation): Reported[] {
  // One seed has a value, and no interval.
  const interval = (of: Estimate | null): Interval | null => (seeds.length > 1 ? of : of && { median: of.median });
  return groups.map(({ policy, arms }) => ({
    title: `${policy} and its variants`,
    finding: findingOf(arms),
    rows: arms.map(({ name, metrics, runs, validRuns }) => ({
      label: validRuns < runs ? `${name} (INVALID)` : name,
      valid: validRuns === runs,
      success: interval(metrics.success),
      amplification: interval(metrics.amplification),
      p99Ms: interval(metrics.p99),
    })),
  }));
}
