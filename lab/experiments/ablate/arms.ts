/**
 * What an ablation compares: naive with one defence more, and budgeted with one part less (and one that does not help it).
 *
 * A defence alone says what it can do; a policy without it says what it still does beside the others. The two differ
 * where defences overlap, and that is what an ablation is for.
 */

import type { Arm } from "../../runs/run-arms.ts";

export interface ArmGroup {
  readonly policy: string;
  readonly arms: readonly Arm[];
}

const TOKEN_BUCKET = { BUDGET: "token-bucket", BUDGET_RATIO: "0.2" };
const DEADLINE_MS = "1100";

const NAIVE_PLUS: readonly Arm[] = [
  { name: "naive", settings: {} },
  { name: "+ full jitter", settings: { BACKOFF: "full", BACKOFF_BASE_MS: "50" } },
  { name: "+ budget, starts empty", settings: { ...TOKEN_BUCKET, BUDGET_BURST: "10", BUDGET_START: "0" } },
  { name: "+ budget, starts full", settings: { ...TOKEN_BUCKET, BUDGET_BURST: "100", BUDGET_START: "100" } },
  {
    name: "+ deadline, at the edge only",
    settings: { EDGE_DEADLINE_MS: DEADLINE_MS, EDGE_PASS_DEADLINE: "0", API_FOLLOW_CALLER: "0" },
  },
  { name: "+ deadline, at every hop", settings: { DEADLINE_MS } },
  { name: "+ deadline, expired calls dropped", settings: { DEADLINE_MS, DROP_EXPIRED: "1" } },
  { name: "+ circuit breaker", settings: { BREAKER: "rate" } },
  { name: "+ shedding, not heeded", settings: { QUEUE_LIMIT: "15" } },
  { name: "+ shedding, heeded", settings: { QUEUE_LIMIT: "15", RESPECT_RETRY_AFTER: "1" } },
  { name: "+ shedding at the api", settings: { API_ADMISSION: "fixed" } },
  { name: "+ leave on disconnect", settings: { LEAVE_ON_DISCONNECT: "1" } },
  { name: "+ one owner: the edge", settings: { RETRY_OWNER: "0", EDGE_RETRY_OWNER: "1" } },
  { name: "+ one owner: the api", settings: { EDGE_RETRY_OWNER: "0" } },
  { name: "no retries", settings: { MAX_ATTEMPTS: "1" } },
  { name: "+ first tries first", settings: { QUEUE_ORDER: "priority" } },
  { name: "+ lifo under overload", settings: { QUEUE_ORDER: "lifo" } },
  { name: "+ CoDel", settings: { CODEL: "1" } },
  { name: "+ concurrency limit, AIMD", settings: { CONCURRENCY_LIMIT: "aimd" } },
  { name: "+ concurrency limit, gradient", settings: { CONCURRENCY_LIMIT: "gradient" } },
];

const BUDGETED_MINUS: readonly Arm[] = [
  { name: "budgeted", settings: {} },
  { name: "- jitter", settings: { BACKOFF: "fixed" } },
  { name: "- budget", settings: { BUDGET: "none" } },
  { name: "- deadline", settings: { DEADLINE_MS: "off" } },
  { name: "+ a breaker at 0.5", settings: { BREAKER: "rate", BREAKER_SHARE: "0.5" } },
  { name: "+ a breaker at 0.6", settings: { BREAKER: "rate", BREAKER_SHARE: "0.6" } },
];

/** What may be left out of a policy that is not known here. */
const PARTS: readonly Arm[] = [
  { name: "- jitter", settings: { BACKOFF: "fixed" } },
  { name: "- retries", settings: { MAX_ATTEMPTS: "1" } },
  { name: "- budget", settings: { BUDGET: "none" } },
  { name: "- deadline", settings: { DEADLINE_MS: "off" } },
  { name: "- circuit breaker", settings: { BREAKER: "none" } },
  { name: "- admission", settings: { ADMISSION: "off" } },
  { name: "- second copies", settings: { HEDGE: "off" } },
  { name: "- shedding", settings: { QUEUE_LIMIT: "off" } },
  { name: "- expired calls dropped", settings: { DROP_EXPIRED: "0" } },
  { name: "- concurrency limit", settings: { CONCURRENCY_LIMIT: "none" } },
  { name: "- one owner", settings: { RETRY_OWNER: "1" } },
];

/** What can be asked of any policy: each of its parts left out, and each defence added. */
export const armsForAny = (policy: string): readonly Arm[] => [
  { name: policy, settings: {} },
  ...PARTS,
  ...NAIVE_PLUS.filter(({ name }) => name.startsWith("+")),
];

export const ARM_GROUPS: readonly ArmGroup[] = [
  { policy: "naive", arms: NAIVE_PLUS },
  { policy: "budgeted", arms: BUDGETED_MINUS },
];

/** The trigger goes away at 20 s and the load stays; what is answered well from 48 s to 58 s is the recovery. */
export const AFTERWARDS = {
  settings: { DURATION_S: "58", FAULT_TIMELINE: "at 20s error 0" },
  triggerEndsS: 20,
  fromS: 48,
  toS: 58,
} as const;
