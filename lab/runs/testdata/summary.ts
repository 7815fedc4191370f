/** Summaries for tests: what experiments read of one, and nothing else. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";

export interface Told {
  readonly policy: string;
  readonly seed: number;
  readonly successRate: number;
  readonly amplification: number;
  readonly valid?: boolean;
}

export function summaryWith({ valid = true, ...told }: Told): RunSummary {
  const latencyMs = { p50: 10, p90: 20, p99: 1200, p999: 1300, max: 1400 };
  const read = {
    ...told,
    valid,
    world: "virtual",
    latencyMs,
    goodputOfLimit: told.successRate / 0.9,
    limit: { successRate: 0.9, amplification: 1.5 },
    backendCalls: 1200 * told.amplification,
    wastedBackendCalls: 300,
    backend: { shed: 20 },
    tiers: { edge: { stopReasons: {} }, api: { stopReasons: { shed: 5 } } },
  };
  return read as unknown as RunSummary;
}
