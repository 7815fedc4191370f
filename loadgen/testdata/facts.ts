/** The facts of a small made-up run whose books are in order, for tests to spoil. */
import type { RetryPolicy } from "../../services/policy/retry-policy.ts";
import type { BackendStats, ClientFigures, HopStats, PolicyOnWire, RunFacts, TierFacts } from "../core/run-facts.ts";
import { emptyCounts } from "../../services/contract/backend-counts.ts";

const POLICY: RetryPolicy = {
  maxAttempts: 3,
  attemptTimeoutMs: 200,
  backoff: { kind: "full", baseMs: 50, capMs: 1000 },
  budget: { kind: "token-bucket", ratio: 0.5, burst: 10, start: 0, minPerSecond: 0 },
  deadlineMs: Infinity,
  minAttemptMs: 0,
  retryOwner: true,
  respectRetryOk: true,
  respectRetryAfter: true,
  overloadRetry: false,
};

const NO_OUTCOMES = { ok: 0, failed: 0, overloaded: 0, timeout: 0, deadline: 0, rejected: 0, cancelled: 0 };
const NO_STOPS = {
  success: 0,
  not_retryable: 0,
  not_replayable: 0,
  not_retry_owner: 0,
  attempts_exhausted: 0,
  breaker_open: 0,
  overloaded_upstream: 0,
  deadline_too_near: 0,
  budget_exhausted: 0,
  shed: 0,
};

/** As JSON brings it: Infinity has become null. */
export const onWire = (policy: RetryPolicy): PolicyOnWire => JSON.parse(JSON.stringify(policy)) as PolicyOnWire;

export function hop(service: string, stats: Partial<HopStats>, policy: Partial<RetryPolicy> = {}): TierFacts {
  const last: HopStats = {
    service,
    kind: "hop",
    inFlight: 0,
    cpuMs: 3500,
    uptimeMs: 12_000,
    loopLagP99Ms: 1,
    arrivals: 0,
    attempts: 0,
    unsent: 0,
    attemptOutcomes: NO_OUTCOMES,
    outcomes: NO_OUTCOMES,
    stopReasons: NO_STOPS,
    hedges: { sent: 0, won: 0, suppressed: 0, denied: 0 },
    budgetBalance: null,
    ...stats,
  };
  return {
    description: { service, kind: "hop", policy: onWire({ ...POLICY, ...policy }) },
    begun: { ...last, cpuMs: 500, uptimeMs: 2000 },
    last,
  };
}

export function backend(stats: Partial<BackendStats>): TierFacts {
  const last: BackendStats = {
    service: "backend",
    kind: "backend",
    inFlight: 0,
    cpuMs: 2500,
    uptimeMs: 12_000,
    loopLagP99Ms: 1,
    ...emptyCounts(),
    tokens: 9,
    faultsHistory: [{ atMs: 0, capacity: 90, errorRate: 0.4, latencyMs: 8 }],
    ...stats,
  };
  return {
    description: {
      service: "backend",
      kind: "backend",
      faults: { capacity: 90, errorRate: 0.4, latencyMs: 8 },
    },
    begun: { ...last, cpuMs: 500, uptimeMs: 2000 },
    last,
  };
}

export const CLIENT: ClientFigures = {
  due: 600,
  ended: 600,
  unsent: 0,
  outcomes: { ...NO_OUTCOMES, ok: 500, failed: 100 },
  stopReasons: { success: 500, budget_exhausted: 80, attempts_exhausted: 20 },
  latencyMs: { p50: 9.5, p90: 62.4, p99: 190.2, p999: 240, max: 1250 },
  late: 1,
  lateP99Ms: 0.4,
  lateMaxMs: 7.2,
};

/** 60/s for 10 s through edge and api. */
export const FACTS: RunFacts = {
  policy: "budgeted",
  world: "process",
  scenario: "reference",
  seed: 1,
  startedAt: "2026-11-30T07:15:28.000Z",
  mode: "open",
  plan: { rate: 60, durationS: 10, rateProfile: [] },
  loadedS: 10,
  elapsedS: 10.5,
  client: CLIENT,
  clientCpuShare: 0.12,
  clientLagMs: 1,
  clientTimeoutMs: Infinity,
  tiers: [
    hop("edge", {
      arrivals: 600,
      attempts: 800,
      unsent: 2,
      stopReasons: { ...NO_STOPS, success: 500, budget_exhausted: 80, attempts_exhausted: 20 },
    }),
    hop("api", { arrivals: 798, attempts: 900, attemptOutcomes: { ...NO_OUTCOMES, ok: 540, failed: 360 } }),
    backend({ arrivals: 900, ok: 540, failed: 360, wasted: 4, longestQueue: 3 }),
  ],
  underWay: 0,
  incidents: [],
};
