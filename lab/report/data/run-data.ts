/** From the folder of a run to the data that its charts are drawn from. */
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { parseTimeline } from "../../../services/contract/fault-timeline.ts";
import type { HopStep, RunData } from "./model.ts";
import type { RunFolder } from "./read-run.ts";
import { plannedMarks, seenMarks, stormOf, withPlannedCapacity } from "./storm.ts";

/** How often each tier is asked for each client request, from the client's side down. */
export function hopSteps({ tiers, clientRequests }: RunSummary): HopStep[] {
  let above = clientRequests;
  return Object.entries(tiers).map(([name, { arrivals }]) => {
    const step = {
      name,
      perRequest: ratioOf(arrivals, clientRequests),
      factor: ratioOf(arrivals, above),
    };
    above = arrivals;
    return step;
  });
}

/** The storm and its marks: as planned where the run had a timeline, else as the samples saw it. */
function stormAndMarks({ environment, samples, digest }: RunFolder): Pick<RunData, "storm" | "marks"> {
  const settings = new Map(environment);
  const { steps } = parseTimeline(settings.get("FAULT_TIMELINE") ?? "");
  const storm = stormOf(samples, digest);
  if (steps.length === 0) return { storm, marks: seenMarks(samples) };
  const initial = Number(settings.get("CAPACITY"));
  // With several replicas the samples tell of all of them together, and the settings of each.
  const isPlain = initial > 0 && (settings.get("REPLICAS") ?? "1") === "1";
  return { storm: isPlain ? withPlannedCapacity(storm, initial, steps) : storm, marks: plannedMarks(steps) };
}

/** @param label how the page calls this run */
export function runDataOf(run: RunFolder, label: string): RunData {
  const { summary, digest } = run;
  return {
    label,
    successRate: summary.successRate,
    amplification: summary.amplification,
    amplificationBound: summary.amplificationBound,
    limit: summary.limit,
    p50: summary.latencyMs.p50,
    p99: summary.latencyMs.p99,
    clientRequests: summary.clientRequests,
    loadEndsS: summary.durationSeconds,
    ...stormAndMarks(run),
    hops: hopSteps(summary),
    bands: digest.bands,
    dots: digest.dots,
    bins: digest.bins,
    attempts: digest.attempts,
  };
}

/** The policy's name, and the seed or a number where two runs share it: labels are unique. */
export function labelsOf(summaries: readonly RunSummary[]): string[] {
  const twice = <T>(values: readonly T[], value: T): boolean => values.filter((each) => each === value).length > 1;
  const policies = summaries.map(({ policy }) => policy);
  const seeded = summaries.map(({ policy, seed }) => (twice(policies, policy) ? `${policy}, seed ${seed}` : policy));
  return seeded.map((label, i) => (twice(seeded, label) ? `${label} (${i + 1})` : label));
}
