/** For each knob of a policy: a scene in which turning it changes an outcome, and which way. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Settings } from "../../runs/testdata/twin-run.ts";

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
  success: (run: RunSummary) => run.successRate,
  amplification: (run: RunSummary) => run.amplification,
  "wasted calls": (run: RunSummary) => run.wastedBackendCalls,
  p50: (run: RunSummary) => run.latencyMs.p50,
  p99: (run: RunSummary) => run.latencyMs.p99,
  "duplicate effects": (run: RunSummary) => run.duplicateEffects,
  refusals: (run: RunSummary) => run.outcomes.rejected ?? 0,
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
const BUCKET: Settings = { BUDGET: "token-bucket" };
const CONSECUTIVE: Settings = { BREAKER: "consecutive" };
const BY_RATE: Settings = { BREAKER: "rate" };
/** The api takes on few at once; the backend stays as naive as it is. */
const DOOR: Settings = { API_ADMISSION: "fixed" };
const QUEUE: Settings = { ...DOOR, API_ADMISSION_QUEUE: "100" };

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
  ["RESPECT_RETRY_OK", "0", "1", { ...DEAD, ...BUCKET }, "amplification", "down"],
  ["RESPECT_RETRY_AFTER", "0", "1", { QUEUE_LIMIT: "15" }, "amplification", "down"],
  ["OVERLOAD_RETRY", "0", "1", { QUEUE_LIMIT: "15", RESPECT_RETRY_AFTER: "1" }, "p99", "up"],
];

const BUDGETS: readonly Row[] = [
  ["BUDGET", "none", "token-bucket", STORM, "success", "up"],
  ["BUDGET", "none", "success", DEAD, "amplification", "down"],
  ["BUDGET", "none", "window", DEAD, "amplification", "down"],
  ["BUDGET", "none", "decayed", DEAD, "amplification", "down"],
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
  [
    "BREAKER_WINDOW_S",
    "10",
    "1",
    { ...DEAD, ...BY_RATE, RATE: "10", MAX_ATTEMPTS: "1" },
    "amplification",
    "up",
  ],
  ["BREAKER_COOL_OFF_MS", "200", "5000", { ...DEAD, ...CONSECUTIVE }, "amplification", "down"],
  ["BREAKER_PROBES", "1", "10", { ...ROOMY, ...CONSECUTIVE, BREAKER_FAILURES: "3" }, "success", "down"],
];

const ADMISSION: readonly Row[] = [
  ["API_ADMISSION", "off", "fixed", STORM, "success", "up"],
  ["API_ADMISSION", "off", "aimd", STORM, "success", "up"],
  ["API_ADMISSION", "off", "gradient", STORM, "success", "up"],
  // Twenty at 90/s wait 220 ms, longer than an attempt may take.
  ["API_ADMISSION_LIMIT", "8", "20", DOOR, "success", "down"],
  ["API_ADMISSION_QUEUE", "0", "10", DOOR, "p50", "up"],
  ["API_ADMISSION_ORDER", "fifo", "lifo", QUEUE, "success", "up"],
  ["API_ADMISSION_ORDER", "fifo", "priority", QUEUE, "success", "up"],
  ["API_ADMISSION_CODEL", "0", "1", QUEUE, "p99", "down"],
  [
    "API_ADMISSION_RETRY_AFTER_S",
    "1",
    "3",
    { ...DOOR, EDGE_RESPECT_RETRY_AFTER: "1", EDGE_OVERLOAD_RETRY: "1" },
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
  ["LATENCY_MS", "8", "100", ROOMY, "p50", "up"],
  ["ERROR_RATE", "0", "1", ROOMY, "success", "down"],
  ["QUEUE_LIMIT", "off", "15", STORM, "success", "up"],
  [
    "SHED_RETRY_AFTER_S",
    "1",
    "3",
    { QUEUE_LIMIT: "15", RESPECT_RETRY_AFTER: "1", OVERLOAD_RETRY: "1" },
    "p99",
    "up",
  ],
  ["DROP_EXPIRED", "0", "1", { DEADLINE_MS: "300" }, "wasted calls", "down"],
  ["LEAVE_ON_DISCONNECT", "0", "1", FROZEN, "success", "up"],
  ["QUEUE_ORDER", "fifo", "lifo", STORM, "success", "up"],
  ["QUEUE_ORDER", "fifo", "priority", STORM, "success", "up"],
  ["CODEL", "0", "1", STORM, "success", "up"],
  ["CONCURRENCY_LIMIT", "none", "aimd", STORM, "success", "up"],
  ["CONCURRENCY_LIMIT", "none", "gradient", STORM, "success", "up"],
  ["DEDUP", "off", "wait", LOSSY, "duplicate effects", "down"],
  ["DEDUP", "wait", "conflict", { ...WRITES, LATENCY_MS: "300" }, "refusals", "up"],
  ["DEDUP_TTL_S", "600", "0.001", { ...LOSSY, DEDUP: "wait" }, "duplicate effects", "up"],
  ["RESPONSE_LOSS", "0", "0.5", WRITES, "duplicate effects", "up"],
  ["STRAGGLER_SHARE", "0.001", "0.1", { ...PATIENT, STRAGGLER_MS: "1000" }, "p99", "up"],
  ["STRAGGLER_MS", "10", "1000", { ...PATIENT, STRAGGLER_SHARE: "0.1" }, "p99", "up"],
  ["FAULT_TIMELINE", "", "at 5s error 1", { ...ROOMY, ERROR_RATE: "0" }, "success", "down"],
];

export const KNOB_EFFECTS: readonly KnobEffect[] = [
  ...RETRIES,
  ...BUDGETS,
  ...BREAKERS,
  ...ADMISSION,
  ...BACKEND,
].map(([knob, from, to, scene, metric, goes]) => ({ knob, from, to, scene, metric, goes }));
