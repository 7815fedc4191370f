/** Runs with the same seed in both worlds, as the twin reads them. */
import type { RunSummary } from "../../../../loadgen/core/run-summary.ts";
import type { RunPair } from "../judgement.ts";
import { summaryWith } from "../../../runs/testdata/summary.ts";

export interface Shown {
  readonly success: number;
  readonly amplification: number;
  readonly p50: number;
  readonly invalidReasons?: readonly string[];
}

export const BUDGETED: Shown = { success: 0.85, amplification: 1.44, p50: 10 };

/** A run of 1,000 requests; what did not succeed has timed out, and the api hop makes all the retries. */
export function runShowing(seed: number, shown: Shown): RunSummary {
  const { success, amplification, p50, invalidReasons = [] } = shown;
  const told = { policy: "budgeted", seed, successRate: success, amplification };
  const ok = Math.round(1000 * success);
  const hop = (attempts: number): unknown => ({ arrivals: 1000, attempts });
  return {
    ...summaryWith({ ...told, valid: invalidReasons.length === 0 }),
    invalidReasons,
    clientRequests: 1000,
    latencyMs: { p50, p90: p50, p99: p50, p999: p50, max: p50 },
    outcomes: { ok, timeout: 1000 - ok },
    tiers: { edge: hop(1000), api: hop(1000 * amplification), backend: hop(0) },
  } as unknown as RunSummary;
}

export const pair = (seed: number, measured: Shown, predicted: Shown = BUDGETED): RunPair => ({
  measured: runShowing(seed, measured),
  predicted: runShowing(seed, predicted),
});
