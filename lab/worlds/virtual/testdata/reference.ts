/** The reference scenario and its three policies as plain data, for tests and benchmarks of the virtual world. */
import type { ClientRecord } from "../../../../loadgen/core/record.ts";
import { schedule, type Arrival } from "../../../../loadgen/core/schedule.ts";
import { PLAIN_BACKEND, type BackendConfig } from "../../../../services/backend/core/config.ts";
import type { BudgetPolicy } from "../../../../services/policy/budget/budget.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../../../../services/policy/retry-policy.ts";
import { ONE_WAY_MS, runVirtual, type VirtualConfig, type VirtualResult } from "../core/run.ts";

/** 90 calls a second, a burst of 9, 8 ms, 40 % errors, and no defence. */
export const BACKEND: BackendConfig = {
  ...PLAIN_BACKEND,
  capacity: 90,
  errorRate: 0.4,
};

const NO_BUDGET: BudgetPolicy = { kind: "none", ratio: 0, burst: 10, start: 0, minPerSecond: 0 };

/** Three attempts of 200 ms, 10 ms apart; no deadline, no budget, no respect. */
export const NAIVE: RetryPolicy = {
  ...PLAIN_POLICY,
  maxAttempts: 3,
  attemptTimeoutMs: 200,
  backoff: { kind: "fixed", baseMs: 10, capMs: 1000 },
  budget: NO_BUDGET,
};

const BUDGETED: RetryPolicy = {
  ...NAIVE,
  backoff: { kind: "full", baseMs: 50, capMs: 1000 },
  budget: { ...NO_BUDGET, kind: "token-bucket", ratio: 0.2 },
  deadlineMs: 1100,
};

const LISTENING: RetryPolicy = {
  ...BUDGETED,
  budget: NO_BUDGET,
  respectRetryOk: true,
  respectRetryAfter: true,
};
const OWNER: RetryPolicy = { ...LISTENING, budget: { ...NO_BUDGET, kind: "token-bucket", ratio: 0.5 } };
const NOT_OWNER: RetryPolicy = { ...OWNER, retryOwner: false };

interface Setting {
  readonly edge: RetryPolicy;
  readonly api: RetryPolicy;
  readonly backend: BackendConfig;
}

const EDGE_TIMEOUT = { attemptTimeoutMs: 700 };

export const SETTINGS = {
  naive: { edge: { ...NAIVE, ...EDGE_TIMEOUT }, api: NAIVE, backend: BACKEND },
  budgeted: { edge: { ...BUDGETED, ...EDGE_TIMEOUT }, api: BUDGETED, backend: BACKEND },
  owner: { edge: { ...OWNER, ...EDGE_TIMEOUT }, api: NOT_OWNER, backend: { ...BACKEND, queueLimit: 15 } },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** `rate` reads a second for `seconds`, evenly. */
export function constantArrivals(rate: number, seconds: number, seed = 1): Iterable<Arrival> {
  return schedule({
    rate,
    durationS: seconds,
    arrivals: "constant",
    rateProfile: [],
    seed,
    writeShare: 0,
    idempotencyKeys: true,
  });
}

export function referenceConfig(name: SettingName, seed: number, seconds = 20): VirtualConfig {
  const { edge, api, backend } = SETTINGS[name];
  return {
    seed,
    hops: [
      { name: "edge", policy: edge },
      { name: "api", policy: api },
    ],
    backend,
    oneWayMs: ONE_WAY_MS,
    connections: 256,
    clientConnections: 1024,
    arrivals: constantArrivals(60, seconds, seed),
    durationMs: seconds * 1000,
    clientTimeoutMs: Infinity,
    drainMs: 15_000,
  };
}

/** Runs `config` and keeps the records. */
export function runAndRecord(config: VirtualConfig): { result: VirtualResult; records: ClientRecord[] } {
  const records: ClientRecord[] = [];
  const result = runVirtual(config, (record) => records.push(record));
  return { result, records };
}

/** The value below which `share` (0 to 1) of `values` lie: the nearest rank, not interpolated. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
