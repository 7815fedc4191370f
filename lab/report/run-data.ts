/** From the folder of a run to the data that its charts are drawn from. */
import type { RunSummary } from "../../loadgen/run-summary.ts";
import { parseTimeline } from "../../services/backend/faults.ts";
import type { HopStep, Mark, RunData } from "./model.ts";
import type { RunFolder } from "./read-run.ts";
import { plannedMarks, seenMarks, stormOf } from "./storm.ts";

/** How often each tier is asked for each client request, from the client's side down. */
export function hopSteps({ tiers, clientRequests }: RunSummary): HopStep[] {
  let above = clientRequests;
  return Object.entries(tiers).map(([name, { arrivals }]) => {
    const step = {
      name,
      perRequest: clientRequests > 0 ? arrivals / clientRequests : 0,
      factor: above > 0 ? arrivals / above : 0,
    };
    above = arrivals;
    return step;
  });
}

function marksOf({ environment, samples }: RunFolder): Mark[] {
  const timeline = environment.find(([name]) => name === "FAULT_TIMELINE")?.[1] ?? "";
  const { steps } = parseTimeline(timeline);
  return steps.length > 0 ? plannedMarks(steps) : seenMarks(samples);
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
    storm: stormOf(run.samples, digest),
    marks: marksOf(run),
    hops: hopSteps(summary),
    bands: digest.bands,
    dots: digest.dots,
    bins: digest.bins,
    attempts: digest.attempts,
  };
}

/** The policy's name, and the seed or a number where two runs share it: labels are unique. */
export function labelsOf(summaries: readonly RunSummary[]): string[] {
  const twice = <T>(values: readonly T[], value: T): boolean =>
    values.filter((each) => each === value).length > 1;
  const policies = summaries.map(({ policy }) => policy);
  const seeded = summaries.map(({ policy, seed }) =>
    twice(policies, policy) ? `${policy}, seed ${seed}` : policy,
  );
  return seeded.map((label, i) => (twice(seeded, label) ? `${label} (${i + 1})` : label));
}
