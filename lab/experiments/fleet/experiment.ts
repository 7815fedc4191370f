/**
 * A retry budget for each of four apis, or one for all of them in Redis; and what is left of the one when its store is
 * killed, or stands still, half-way through the run.
 *
 * The backend has room for everything and fails half of its calls, so that retries are wanted all the time and only the
 * budget refuses any: what is counted is the budget's doing, and stands beside what the budget promises (policy/amplification-bound.ts).
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Sample } from "../../../loadgen/core/series.ts";
import type { ServiceStats } from "../../../services/contract/stats.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { planned } from "../../runs/planned.ts";
import type { RunEnv } from "../../runs/pool.ts";
import { readSamplesIn, runInProcessWorld } from "../../runs/process-run.ts";
import type { ProcessChain } from "../../worlds/process/chain.ts";
import { FLEET_ARMS, SCENE, type FleetArm } from "./arms.ts";

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
  readonly successRate: number | null;
  readonly p99Ms: number | null;
  /** Retries of all apis together. */
  readonly retries: number;
  /** The most that the budgets allow, over the whole run. */
  readonly bound: number;
  /** Retries in the first and in the second half. */
  readonly halves: readonly [number, number];
}

export function fleetResultOf(arm: string, summary: RunSummary, samples: readonly Sample[]): FleetResult {
  const { arrivals = 0, attempts = 0, bound = null, store } = summary.tiers["api"] ?? {};
  const silence = store?.answers === 0 ? ["the budget store never answered: this says nothing about it"] : [];
  const half = summary.durationSeconds / 2;
  return {
    arm,
    valid: summary.valid && silence.length === 0,
    invalidReasons: [...summary.invalidReasons, ...silence],
    successRate: summary.successRate,
    p99Ms: summary.latencyMs.p99,
    retries: attempts - arrivals,
    bound: arrivals === 0 ? 0 : Math.floor(((bound ?? Infinity) - 1) * arrivals),
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

interface PlannedArm {
  readonly arm: FleetArm;
  readonly env: RunEnv;
}

/** @throws ConfigError with every fault of every arm, and with what was typed although the experiment sets it itself */
export function planFleet(context: ExperimentContext): PlannedArm[] {
  const wanted = FLEET_ARMS.map((arm) => ({ ...arm, arm, scene: SCENE, derived: { WORLD: "process" } }));
  return planned(context, wanted);
}

async function runArm(
  { ambient, interrupt, say }: ExperimentContext,
  { arm, env }: PlannedArm,
  folder: string,
): Promise<FleetResult> {
  const over = new AbortController();
  const requests = (Number(env["RATE"]) * Number(env["DURATION_S"])) / 2;
  const { signal } = arm;
  const onChain: Parameters<typeof runInProcessWorld>[2]["onChain"] = (chain) => {
    if (signal !== undefined) void disturbStore(chain, signal, requests, over.signal);
  };
  try {
    const { summary } = await runInProcessWorld(env, folder, { ambient, say, ...interrupt, onChain });
    return fleetResultOf(arm.name, summary, readSamplesIn(folder));
  } finally {
    over.abort();
  }
}

/** Each arm once, one after the other. @param folder for the reports of the runs */
export async function fleet(
  context: ExperimentContext,
  plan: readonly PlannedArm[],
  folder: string,
): Promise<FleetResult[]> {
  const results: FleetResult[] = [];
  for (const [n, one] of plan.entries()) {
    context.say(`${n + 1} of ${plan.length}: ${one.arm.name}`);
    results.push(await runArm(context, one, join(folder, String(n + 1))));
  }
  return results;
}
