/** From the folder of a run to the data that its charts are drawn from. */
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { parseTimeline } from "../../../services/contract/fault-timeline.ts";
import type { HopStep, RunData } from "./model.ts";
import type { RunFolder } from "./read-run.ts";
import { asPlanned, atOneLimit, plannedMarks, seenMarks, stormOf } from "./storm.ts";

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

/** Whether the load and the backend stay as they are: one limit then holds all the time. */
function isSteady(settings: ReadonlyMap<string, string>, samples: RunFolder["samples"]): boolean {
  const [first] = samples;
  const same = samples.every(
    ({ backend: { capacity, errorRate } }) =>
      capacity === first?.backend.capacity && errorRate === first.backend.errorRate,
  );
  return same && (settings.get("FAULT_TIMELINE") ?? "") === "" && (settings.get("RATE_PROFILE") ?? "") === "";
}

/** The storm and its marks: as planned where the run had a timeline, else as the samples saw it. */
function stormAndMarks({ environment, samples, digest, summary }: RunFolder): Pick<RunData, "storm" | "marks"> {
  const settings = new Map(environment);
  const { steps } = parseTimeline(settings.get("FAULT_TIMELINE") ?? "");
  const seen = stormOf(samples, digest);
  const storm = isSteady(settings, samples) ? atOneLimit(seen, summary.limit.amplification) : seen;
  if (steps.length === 0) return { storm, marks: seenMarks(samples) };
  const initial = { capacity: Number(settings.get("CAPACITY")), errorRate: Number(settings.get("ERROR_RATE") ?? 0) };
  // With several replicas the samples tell of all of them together, and the settings of each.
  const isPlain = initial.capacity > 0 && (settings.get("REPLICAS") ?? "1") === "1";
  return { storm: isPlain ? asPlanned(storm, initial, steps) : storm, marks: plannedMarks(steps) };
}

/** @param label how the page calls this run */
export function runDataOf(run: RunFolder, label: string): RunData {
  const { summary, digest } = run;
  return {
    label,
    valid: summary.valid,
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
