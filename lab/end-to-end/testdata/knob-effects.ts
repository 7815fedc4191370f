/**
 * For each knob: a scene in virtual time in which turning it changes an outcome, and which way; or, where virtual time
 * cannot show it, the test that does.
 */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Settings } from "../../runs/testdata/run-of.ts";

export interface KnobEffect {
  readonly knob: string;
  readonly from: string;
  readonly to: string;
  /** What else holds, for both values. */
  readonly scene: Settings;
  readonly metric: keyof typeof MEASURES;
  readonly goes: "up" | "down";
}

export const MEASURES = {
  requests: (run: RunSummary) => run.clientRequests,
  effects: (run: RunSummary) => run.effects,
  success: (run: RunSummary) => run.successRate,
  amplification: (run: RunSummary) => run.amplification,
  "wasted calls": (run: RunSummary) => run.wastedBackendCalls,
  p50: (run: RunSummary) => run.latencyMs.p50,
  p99: (run: RunSummary) => run.latencyMs.p99,
  "duplicate effects": (run: RunSummary) => run.duplicateEffects,
} as const;

/** The reference storm, whose queue stands. */
const STORM: Settings = {};
/** Room for everything: what happens is the policy's doing. */
const ROOMY: Settings = { CAPACITY: "10000" };
const DEAD: Settings = { ...ROOMY, ERROR_RATE: "1" };
/** Good for the first half, dead in the second. */
const DYING: Settings = { ...ROOMY, ERROR_RATE: "0", FAULT_TIMELINE: "at 5s error 1" };
/** Stands still for two seconds; those who waited have long gone when it goes on. */
const FROZEN: Settings = {
  ERROR_RATE: "0",
  MAX_ATTEMPTS: "1",
  FAULT_TIMELINE: "at 2s capacity 1; at 4s capacity 90",
};
const WRITES: Settings = { ...ROOMY, ERROR_RATE: "0", WRITE_SHARE: "1" };
const LOSSY: Settings = { ...WRITES, RESPONSE_LOSS: "0.3" };
const PATIENT: Settings = {
  ...ROOMY,
  ERROR_RATE: "0",
  ATTEMPT_TIMEOUT_MS: "off",
  EDGE_ATTEMPT_TIMEOUT_MS: "off",
};
/** Nobody answers in time: an attempt, and hence a retry, is under way for as long as it may be. */
const STALLED: Settings = { ...ROOMY, ERROR_RATE: "0", LATENCY_MS: "500" };
/** Sheds what it cannot take as a rate limit does. */
const LIMITED: Settings = { CAPACITY: "30", QUEUE_LIMIT: "5", SHED_AS: "throttled" };
const BUCKET: Settings = { BUDGET: "token-bucket" };
const CONSECUTIVE: Settings = { BREAKER: "consecutive" };
const BY_RATE: Settings = { BREAKER: "rate" };
/** Two replicas, and a twentieth of the calls is half a second slower. */
const STRAGGLING: Settings = { ...PATIENT, REPLICAS: "2", STRAGGLER_SHARE: "0.05", STRAGGLER_MS: "500" };
const HEDGED: Settings = { ...STRAGGLING, API_HEDGE: "delay", HEDGE_RATIO: "1" };
/** The api takes on few at once; the backend stays as naive as it is. */
const ADMITTING: Settings = { API_ADMISSION: "fixed" };
const QUEUEING: Settings = { ...ADMITTING, API_ADMISSION_QUEUE: "100" };

type Row = readonly [
  knob: string,
  from: string,
  to: string,
  scene: Settings,
  metric: KnobEffect["metric"],
  goes: KnobEffect["goes"],
];

const RETRIES: readonly Row[] = [
  ["MAX_ATTEMPTS", "1", "3", DEAD, "amplification", "up"],
  ["ATTEMPT_TIMEOUT_MS", "200", "20", { ...ROOMY, ERROR_RATE: "0", LATENCY_MS: "50" }, "success", "down"],
  ["BACKOFF", "fixed", "exponential", { ...DEAD, BACKOFF_BASE_MS: "100" }, "p50", "up"],
  ["BACKOFF", "fixed", "full", { ...DEAD, BACKOFF_BASE_MS: "100" }, "p50", "down"],
  ["BACKOFF_BASE_MS", "10", "200", DEAD, "p50", "up"],
  ["BACKOFF_CAP_MS", "100", "1000", { ...DEAD, BACKOFF: "exponential", BACKOFF_BASE_MS: "100" }, "p50", "up"],
  ["DEADLINE_MS", "off", "300", STORM, "p99", "down"],
  ["MIN_ATTEMPT_MS", "0", "190", { ...DEAD, DEADLINE_MS: "200" }, "amplification", "down"],
  ["RETRY_OWNER", "1", "0", DEAD, "amplification", "down"],
  ["PASS_DEADLINE", "1", "0", { DEADLINE_MS: "300", DROP_EXPIRED: "1" }, "wasted calls", "up"],
  // The api goes on with what the edge has given up after 150 ms.
  [
    "FOLLOW_CALLER",
    "1",
    "0",
    { ...DEAD, LATENCY_MS: "100", EDGE_MAX_ATTEMPTS: "1", EDGE_ATTEMPT_TIMEOUT_MS: "150" },
    "amplification",
    "up",
  ],
  ["RESPECT_RETRY_OK", "0", "1", { ...DEAD, ...BUCKET }, "amplification", "down"],
  ["RESPECT_RETRY_AFTER", "0", "1", { QUEUE_LIMIT: "15" }, "amplification", "down"],
  ["RETRY_ON", "5xx", "connect", DEAD, "amplification", "down"],
  ["RETRY_ON", "5xx", "5xx,timeout", STALLED, "amplification", "up"],
  ["BACKOFF", "fixed", "rising", { ...DEAD, BACKOFF_BASE_MS: "100" }, "p50", "up"],
  ["BACKOFF", "fixed", "smooth", { ...DEAD, BACKOFF_BASE_MS: "100" }, "p99", "up"],
  ["BACKOFF_FACTOR", "2", "5", { ...DEAD, BACKOFF: "exponential", BACKOFF_BASE_MS: "100" }, "p50", "up"],
  ["BACKOFF_BASE_429_MS", "auto", "100", LIMITED, "p99", "up"],
  ["BACKOFF_JITTER", "0", "1", { ...DEAD, BACKOFF_BASE_MS: "100" }, "p99", "up"],
  [
    "RETRY_AFTER_WAIT",
    "spread",
    "exact",
    {
      ...LIMITED,
      RESPECT_RETRY_AFTER: "1",
      OVERLOAD_RETRY: "1",
      MAX_ATTEMPTS: "2",
      EDGE_MAX_ATTEMPTS: "1",
      EDGE_ATTEMPT_TIMEOUT_MS: "off",
    },
    "p99",
    "down",
  ],
  ["OVERLOAD_RETRY", "0", "1", { QUEUE_LIMIT: "15", RESPECT_RETRY_AFTER: "1" }, "p99", "up"],
];

const BUDGETS: readonly Row[] = [
  ["BUDGET", "none", "token-bucket", STORM, "success", "up"],
  ["BUDGET", "none", "success", DEAD, "amplification", "down"],
  ["BUDGET", "none", "window", DEAD, "amplification", "down"],
  ["BUDGET", "none", "decayed", DEAD, "amplification", "down"],
  ["BUDGET", "none", "concurrent", STALLED, "amplification", "down"],
  ["BUDGET", "concurrent", "concurrent-window", STALLED, "amplification", "up"],
  ["BUDGET", "none", "failures", DEAD, "amplification", "down"],
  [
    "BUDGET_REFUND",
    "0",
    "1",
    { ...ROOMY, BUDGET: "success", BUDGET_RATIO: "0", BUDGET_START: "10", ERROR_RATE: "0.3" },
    "p99",
    "up",
  ],
  [
    "BUDGET_COST_429",
    "auto",
    "20",
    { ...LIMITED, BUDGET: "success", BUDGET_BURST: "200", BUDGET_START: "200" },
    "amplification",
    "down",
  ],
  ["BUDGET_PAID_BY", "request", "success", { ...DEAD, BUDGET: "window" }, "amplification", "down"],
  ["BUDGET_MIN_CONCURRENT", "0", "100", { ...STALLED, BUDGET: "concurrent" }, "amplification", "up"],
  ["BUDGET_RATIO", "0.1", "0.5", { ...DEAD, ...BUCKET }, "amplification", "up"],
  ["BUDGET_BURST", "1", "100", { ...DYING, ...BUCKET }, "amplification", "up"],
  ["BUDGET_START", "0", "300", { ...DEAD, ...BUCKET, BUDGET_BURST: "300" }, "amplification", "up"],
  ["BUDGET_MIN_PER_S", "0", "10", { ...DEAD, ...BUCKET }, "amplification", "up"],
  ["BUDGET_COST", "1", "5", { ...ROOMY, BUDGET: "success" }, "amplification", "down"],
  ["BUDGET_WINDOW_S", "1", "10", { ...DYING, BUDGET: "window" }, "amplification", "up"],
];

const BREAKERS: readonly Row[] = [
  ["BREAKER", "none", "consecutive", DEAD, "amplification", "down"],
  ["BREAKER", "none", "rate", DEAD, "amplification", "down"],
  ["BREAKER_FAILURES", "3", "100", { ...DEAD, ...CONSECUTIVE }, "amplification", "up"],
  ["BREAKER_SHARE", "0.2", "0.9", { ...ROOMY, ...BY_RATE }, "success", "up"],
  ["BREAKER_MIN_CALLS", "5", "500", { ...DEAD, ...BY_RATE }, "amplification", "up"],
  ["BREAKER_WINDOW_S", "10", "1", { ...DEAD, ...BY_RATE, RATE: "10", MAX_ATTEMPTS: "1" }, "amplification", "up"],
  ["BREAKER_COOL_OFF_MS", "200", "5000", { ...DEAD, ...CONSECUTIVE }, "amplification", "down"],
  ["BREAKER_PROBES", "1", "10", { ...ROOMY, ...CONSECUTIVE, BREAKER_FAILURES: "3" }, "success", "down"],
];

const ADMISSION: readonly Row[] = [
  ["API_ADMISSION", "off", "fixed", STORM, "success", "up"],
  ["API_ADMISSION", "off", "aimd", STORM, "success", "up"],
  ["API_ADMISSION", "off", "gradient", STORM, "success", "up"],
  ["API_ADMISSION", "off", "throughput", STORM, "success", "up"],
  // Twenty at 90/s wait 220 ms, longer than an attempt may take.
  ["API_ADMISSION_LIMIT", "8", "20", ADMITTING, "success", "down"],
  ["API_ADMISSION_QUEUE", "0", "10", ADMITTING, "p50", "up"],
  ["API_ADMISSION_ORDER", "fifo", "lifo", QUEUEING, "success", "up"],
  ["API_ADMISSION_ORDER", "fifo", "priority", QUEUEING, "success", "up"],
  ["API_ADMISSION_CODEL", "0", "1", QUEUEING, "p99", "down"],
  [
    "API_ADMISSION_RETRY_AFTER_S",
    "1",
    "3",
    { ...ADMITTING, EDGE_RESPECT_RETRY_AFTER: "1", EDGE_OVERLOAD_RETRY: "1" },
    "p99",
    "up",
  ],
];

const BACKEND: readonly Row[] = [
  ["CAPACITY", "90", "900", STORM, "success", "up"],
  [
    "CAPACITY_BURST",
    "1",
    "60",
    { CAPACITY: "70", ERROR_RATE: "0", ARRIVALS: "poisson", MAX_ATTEMPTS: "1" },
    "p99",
    "down",
  ],
  ["THROTTLE", "queue", "penalty", { CAPACITY: "30", ERROR_RATE: "0" }, "wasted calls", "down"],
  ["LATENCY_MS", "8", "100", ROOMY, "p50", "up"],
  ["ERROR_RATE", "0", "1", ROOMY, "success", "down"],
  [
    "SHED_AS",
    "unavailable",
    "throttled",
    { CAPACITY: "30", QUEUE_LIMIT: "5", RETRY_ON: "503" },
    "amplification",
    "down",
  ],
  ["QUEUE_LIMIT", "off", "15", STORM, "success", "up"],
  ["SHED_RETRY_AFTER_S", "1", "3", { QUEUE_LIMIT: "15", RESPECT_RETRY_AFTER: "1", OVERLOAD_RETRY: "1" }, "p99", "up"],
  ["DROP_EXPIRED", "0", "1", { DEADLINE_MS: "300" }, "wasted calls", "down"],
  // What is served too late is wasted: with a short deadline and fifo, most of what is served.
  ["DROP_LATE", "0", "1", { RATE: "120", DEADLINE_MS: "100", DROP_EXPIRED: "1", MAX_ATTEMPTS: "1" }, "success", "up"],
  ["LEAVE_ON_DISCONNECT", "0", "1", FROZEN, "success", "up"],
  ["QUEUE_ORDER", "fifo", "lifo", STORM, "success", "up"],
  ["QUEUE_ORDER", "fifo", "priority", STORM, "success", "up"],
  ["CODEL", "0", "1", STORM, "success", "up"],
  ["CONCURRENCY_LIMIT", "none", "aimd", STORM, "success", "up"],
  ["CONCURRENCY_LIMIT", "none", "gradient", STORM, "success", "up"],
  ["DEDUP", "off", "wait", LOSSY, "duplicate effects", "down"],
  ["DEDUP", "wait", "conflict", { ...WRITES, LATENCY_MS: "300" }, "success", "down"],
  ["DEDUP_TTL_S", "600", "0.001", { ...LOSSY, DEDUP: "wait" }, "duplicate effects", "up"],
  ["RESPONSE_LOSS", "0", "0.5", WRITES, "duplicate effects", "up"],
  ["STRAGGLER_SHARE", "0.001", "0.1", { ...PATIENT, STRAGGLER_MS: "1000" }, "p99", "up"],
  ["STRAGGLER_MS", "10", "1000", { ...PATIENT, STRAGGLER_SHARE: "0.1" }, "p99", "up"],
  ["FAULT_TIMELINE", "", "at 5s error 1", { ...ROOMY, ERROR_RATE: "0" }, "success", "down"],
];

const REPLICAS: readonly Row[] = [
  ["API_HEDGE", "off", "delay", STRAGGLING, "p99", "down"],
  ["API_HEDGE", "off", "quantile", STRAGGLING, "p99", "down"],
  ["API_HEDGE_DELAY_MS", "10", "400", HEDGED, "p99", "up"],
  ["API_HEDGE_QUANTILE", "0.5", "0.99", { ...HEDGED, API_HEDGE: "quantile" }, "p99", "up"],
  ["API_HEDGE_RATIO", "0.001", "1", { ...STRAGGLING, API_HEDGE: "delay" }, "p99", "down"],
  // Poisson arrivals at eight queues: one waits while another one is empty.
  ["REPLICAS", "1", "8", { ...PATIENT, CAPACITY: "65", ARRIVALS: "poisson" }, "p99", "up"],
  ["SLOW_REPLICA", "off", "1", { ...STRAGGLING, STRAGGLER_SHARE: "0.001" }, "p99", "up"],
  ["WEAK_REPLICA", "off", "1", { ...PATIENT, CAPACITY: "70", REPLICAS: "2" }, "p99", "up"],
  ["WEAK_REPLICA_SHARE", "0.9", "0.3", { ...PATIENT, CAPACITY: "70", REPLICAS: "2", WEAK_REPLICA: "1" }, "p99", "up"],
  ["STRAGGLERS_BY", "call", "order", HEDGED, "p99", "up"],
  // Both copies are served, and a capacity of 100/s is not enough for that.
  [
    "TIE_CANCEL_MS",
    "0",
    "100",
    { ...PATIENT, CAPACITY: "100", ARRIVALS: "poisson", REPLICAS: "2", API_HEDGE: "tied", HEDGE_RATIO: "1" },
    "p50",
    "up",
  ],
];

const LOAD: readonly Row[] = [
  ["RATE", "60", "120", STORM, "success", "down"],
  ["DURATION_S", "5", "10", ROOMY, "requests", "up"],
  ["ARRIVALS", "constant", "poisson", { ...PATIENT, CAPACITY: "70", CAPACITY_BURST: "1" }, "p99", "up"],
  ["RATE_PROFILE", "", "at 5s rate 200", STORM, "success", "down"],
  // Another seed is another course of the storm.
  ["SEED", "1", "2", STORM, "success", "down"],
  ["WRITE_SHARE", "0", "1", ROOMY, "effects", "up"],
  ["IDEMPOTENCY_KEYS", "1", "0", { ...DEAD, WRITE_SHARE: "1" }, "amplification", "down"],
  ["CLIENT_TIMEOUT_MS", "10000", "500", STORM, "p99", "down"],
  ["CLIENT_CONNECTIONS", "1024", "1", { ...PATIENT, LATENCY_MS: "50" }, "p50", "up"],
  ["UPSTREAM_CONNECTIONS", "256", "1", { ...PATIENT, LATENCY_MS: "50" }, "p50", "up"],
  ["DRAIN_S", "15", "0", { ...PATIENT, LATENCY_MS: "5000" }, "success", "down"],
];

const RUN: readonly Row[] = [
  ["POLICY", "naive", "budgeted", STORM, "success", "up"],
  ["TIERS", "edge,api", "edge,api,cart", DEAD, "amplification", "up"],
  ["ONE_WAY_MS", "0.4", "20", ROOMY, "p50", "up"],
];

/** What needs processes, a machine or a report: the test that shows it, and a word that stands there. */
export const SHOWN_ELSEWHERE: Readonly<Record<string, readonly [test: string, word: string]>> = {
  SCENARIO: ["lab/report/pages/page.test.ts", "SCENARIO"],
  WORLD: ["lab/cli/choose.test.ts", "WORLD"],
  REPORTS_DIR: ["loadgen/output/report-folder.test.ts", "REPORTS_DIR"],
  WARMUP_S: ["loadgen/run/prepare.test.ts", "warmupS"],
  LOAD: ["loadgen/run/run.test.ts", 'mode: "closed"'],
  CLOSED_CONNECTIONS: ["loadgen/send/load.test.ts", "CLOSED_CONNECTIONS"],
  INSTANCES: ["lab/worlds/process/fleet.test.ts", "API_INSTANCES"],
  BUDGET_SCOPE: ["lab/end-to-end/fleet-budget.test.ts", "BUDGET_SCOPE"],
  BUDGET_LEASE: ["lab/end-to-end/fleet-budget.test.ts", "BUDGET_LEASE"],
  BUDGET_FLOOR_PER_S: ["lab/end-to-end/fleet-budget.test.ts", "BUDGET_FLOOR_PER_S"],
  BUDGET_STORE_URL: ["lab/end-to-end/fleet-budget.test.ts", "BUDGET_STORE_URL"],
  BUDGET_STORE_TIMEOUT_MS: ["lab/end-to-end/fleet-budget.test.ts", "BUDGET_STORE_TIMEOUT_MS"],
  HOST: ["services/http/server.test.ts", "HOST"],
  PORT: ["services/http/service.test.ts", "PORT"],
  UPSTREAM_URL: ["services/http/service.test.ts", "UPSTREAM_URL"],
  CHAIN: ["lab/worlds/load/main.test.ts", "CHAIN"],
  LOG_LEVEL: ["lab/worlds/process/world.test.ts", "LOG_LEVEL"],
};

export const KNOB_EFFECTS: readonly KnobEffect[] = [
  ...RETRIES,
  ...BUDGETS,
  ...BREAKERS,
  ...ADMISSION,
  ...BACKEND,
  ...REPLICAS,
  ...LOAD,
  ...RUN,
].map(([knob, from, to, scene, metric, goes]) => ({ knob, from, to, scene, metric, goes }));
