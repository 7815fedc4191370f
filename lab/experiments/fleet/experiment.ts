/**
 * A retry budget for each of four apis, or one for all of them in Redis; and what is left of the one when its store is
 * killed, or stands still, half-way through the run.
 *
 * The backend has room for everything and fails half of its calls, so that retries are wanted all the time and only the
 * budget refuses any: what is counted is the budget's doing, and stands beside what the budget promises (policy/amplification-bound.ts).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Sample } from "../../../loadgen/core/series.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { ServiceStats } from "../../../services/contract/stats.ts";
import type { ProcessChain } from "../../worlds/process/chain.ts";
import type { RunEnv } from "../../runs/pool.ts";

/** Half of them start level, burst and floor, which a budget for each instance multiplies. */
export const SCENE: RunEnv = {
  POLICY: "budgeted",
  SCENARIO: "fleet",
  API_INSTANCES: "4",
  EDGE_MAX_ATTEMPTS: "1",
  API_BUDGET: "token-bucket",
  API_BUDGET_RATIO: "0.1",
  API_BUDGET_START: "10",
  API_BUDGET_BURST: "10",
  API_BUDGET_MIN_PER_S: "2",
  CAPACITY: "1000",
  ERROR_RATE: "0.5",
};

const SHARED: RunEnv = { API_BUDGET_SCOPE: "fleet", API_BUDGET_FLOOR_PER_S: "0.25" };

export interface FleetArm {
  readonly name: string;
  readonly settings: RunEnv;
  /** What happens to the store once half of the requests have come; nothing where absent. */
  readonly signal?: "SIGKILL" | "SIGSTOP";
}

export const FLEET_ARMS: readonly FleetArm[] = [
  { name: "a budget each", settings: { API_BUDGET_SCOPE: "instance" } },
  { name: "one for all", settings: SHARED },
  { name: "one, its store killed", settings: SHARED, signal: "SIGKILL" },
  { name: "one, its store frozen", settings: SHARED, signal: "SIGSTOP" },
];

/** Retries that the apis made while `from` < t ≤ `to`, whole seconds of the schedule: a sample is taken at about each. */
export function retriesBetween(samples: readonly Sample[], from: number, to: number): number {
  let [total, before] = [0, 0];
  for (const { tS, tiers } of samples) {
    const { arrivals = 0, attempts = 0 } = tiers["api"] ?? {};
    if (Math.round(tS) > from && Math.round(tS) <= to) total += (attempts - arrivals) * (tS - before);
    before = tS;
  }
  return Math.round(total);
}

export interface FleetResult {
  readonly arm: string;
  readonly valid: boolean;
  readonly invalidReasons: readonly string[];
  readonly successRate: number;
  readonly p99Ms: number;
  /** Retries of all apis together. */
  readonly retries: number;
  /** The most that the budgets allow, over the whole run. */
  readonly bound: number;
  /** Retries in the first and in the second half. */
  readonly halves: readonly [number, number];
}

export function fleetResultOf(arm: string, summary: RunSummary, samples: readonly Sample[]): FleetResult {
  const { arrivals = 0, attempts = 0, bound = null } = summary.tiers["api"] ?? {};
  const half = summary.durationSeconds / 2;
  return {
    arm,
    valid: summary.valid,
    invalidReasons: summary.invalidReasons,
    successRate: summary.successRate,
    p99Ms: summary.latencyMs.p99,
    retries: attempts - arrivals,
    bound: Math.floor(((bound ?? Infinity) - 1) * arrivals),
    halves: [retriesBetween(samples, 0, half), retriesBetween(samples, half, Infinity)],
  };
}

const LOOK_EVERY_MS = 100;

async function arrivalsAt(url: string): Promise<number> {
  const response = await fetch(`${url}/stats`);
  return ((await response.json()) as ServiceStats).arrivals;
}

/**
 * Sends `signal` to the store of `chain` once the measured run has had `requests`: its counters begin at 0 after the
 * warm-up. Gives up when `over` is aborted.
 */
export async function disturbStore(
  chain: ProcessChain,
  signal: "SIGKILL" | "SIGSTOP",
  requests: number,
  over: AbortSignal,
): Promise<void> {
  const [first] = chain.tiers;
  if (first === undefined || chain.store === undefined) throw new Error("there is no store to disturb");
  let [before, hasBegun] = [0, false];
  while (!over.aborted) {
    const arrivals = await arrivalsAt(first.url).catch(() => before);
    hasBegun ||= arrivals < before;
    if (hasBegun && arrivals >= requests) return void process.kill(chain.store.pid, signal);
    before = arrivals;
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
  }
}
