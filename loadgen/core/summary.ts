/** From the facts of a run to `summary.json`. Pure: the same facts give the same summary, in every world. */
import { wastedCalls } from "../../services/contract/backend-counts.ts";
import { longestServiceMs } from "../../services/contract/faults.ts";
import { chainBound, hopBound } from "../../services/policy/amplification-bound.ts";
import type { RetryPolicy } from "../../services/policy/retry-policy.ts";
import { limitOf } from "./limit.ts";
import { ratioOf } from "./ratio.ts";
import { reconcile, type TierCounts } from "./reconcile.ts";
import type { BackendStats, RunFacts, ServiceStats, TierFacts } from "./run-facts.ts";
import type { RunSummary, TierSummary } from "./run-summary.ts";
import { offered } from "./schedule.ts";
import { gradeOf, type Verdict } from "./validity.ts";

/** What JSON could not say: null stands for Infinity, at any depth. */
function revived(value: unknown): unknown {
  if (value === null) return Infinity;
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revived(inner)]));
}

/** The policy that a hop runs; undefined for the backend. */
function policyOf({ description }: TierFacts): RetryPolicy | undefined {
  return description.kind === "hop" ? (revived(description.policy) as RetryPolicy) : undefined;
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function countsOf({ last }: TierFacts): TierCounts {
  const { service: name, arrivals } = last;
  if (last.kind === "backend") return { name, arrivals, attempts: 0, unsent: 0 };
  return { name, arrivals, attempts: last.attempts, unsent: last.unsent };
}

/** As busy as the load made it: the quiet wait for the last answers would only dilute that. */
function loadedOf({ loaded, last }: TierFacts): ServiceStats {
  return loaded ?? last;
}

function cpuShareOf(tier: TierFacts): number | null {
  const { begun } = tier;
  const end = loadedOf(tier);
  if (begun === undefined || end.uptimeMs <= begun.uptimeMs) return null;
  return (end.cpuMs - begun.cpuMs) / (end.uptimeMs - begun.uptimeMs);
}

/** Leaves out what never happened. */
function counted<Key extends string>(counts: Readonly<Partial<Record<Key, number>>>): Partial<Record<Key, number>> {
  const entries = Object.entries(counts).filter(([, count]) => count !== 0);
  return Object.fromEntries(entries) as Partial<Record<Key, number>>;
}

function tierSummary(tier: TierFacts, lost: number, elapsedS: number): TierSummary {
  const { name: _name, ...counts } = countsOf(tier);
  const policy = policyOf(tier);
  const bound = policy === undefined || counts.arrivals === 0 ? null : hopBound(policy, counts.arrivals, elapsedS);
  return {
    ...counts,
    lost,
    bound: bound === null ? null : finiteOrNull(bound),
    cpuShare: cpuShareOf(tier),
    stopReasons: tier.last.kind === "hop" ? counted(tier.last.stopReasons) : {},
    ...(policy?.hedge !== undefined && tier.last.kind === "hop" ? { hedged: tier.last.hedges } : {}),
    ...(tier.last.kind === "hop" && tier.last.store !== undefined ? { store: tier.last.store } : {}),
    ...(tier.last.spans === undefined ? {} : { spans: tier.last.spans }),
  };
}

function backendOf(tiers: readonly TierFacts[]): BackendStats {
  const last = tiers.at(-1)?.last;
  if (last?.kind !== "backend") throw new Error("the last tier of a chain is the backend");
  return last;
}

/** Calls to the backend that its caller gave up on, and whether the model itself can have been the reason. */
function timeoutsOf(tiers: readonly TierFacts[]): { timeoutShare: number; backendIsSlow: boolean } {
  const { longestQueue, faultsHistory } = backendOf(tiers);
  const caller = tiers.at(-2);
  if (caller === undefined || caller.last.kind !== "hop") return { timeoutShare: 0, backendIsSlow: false };
  const { attempts, attemptOutcomes } = caller.last;
  const limitMs = policyOf(caller)?.attemptTimeoutMs ?? Infinity;
  const longestMs = Math.max(...faultsHistory.map(longestServiceMs));
  return {
    timeoutShare: attempts === 0 ? 0 : attemptOutcomes.timeout / attempts,
    backendIsSlow: longestQueue > 0 || longestMs > limitMs / 2,
  };
}

function generatorOf({ mode, client, clientCpuShare }: RunFacts): RunSummary["generator"] {
  const { due, unsent, late, lateP99Ms, lateMaxMs } = client;
  return {
    mode,
    scheduled: due,
    sent: due - unsent,
    dropped: unsent,
    late,
    lateP99Ms,
    lateMaxMs,
    cpuShare: clientCpuShare,
  };
}

/** Of each process, where there are any. */
function lagsOf({ clientLagMs, tiers }: RunFacts): Readonly<Record<string, number>> {
  if (clientLagMs === null) return {};
  const ofTiers = tiers.map(loadedOf).map(({ service, loopLagP99Ms }) => [service, loopLagP99Ms] as const);
  return Object.fromEntries([["load", clientLagMs], ...ofTiers]);
}

/** What gives up on something, or asks a second time, after so many milliseconds: of the whole chain and its client. */
function shortestTimeoutOf({ tiers, clientTimeoutMs }: RunFacts): number {
  const policies = tiers.flatMap((tier) => policyOf(tier) ?? []);
  const ofHops = policies.flatMap(({ attemptTimeoutMs, deadlineMs, hedge }) => [
    attemptTimeoutMs,
    deadlineMs,
    hedge?.trigger.kind === "delay" ? hedge.trigger.delayMs : Infinity,
  ]);
  return Math.min(clientTimeoutMs, ...ofHops);
}

function verdictOf(facts: RunFacts, tiers: RunSummary["tiers"], clientLost: number): Verdict {
  return gradeOf({
    generator: generatorOf(facts),
    underWay: facts.underWay,
    clientLost,
    tiers,
    lagMs: lagsOf(facts),
    ...timeoutsOf(facts.tiers),
    shortestTimeoutMs: shortestTimeoutOf(facts),
    p50Ms: facts.client.latencyMs.p50,
    loadedS: facts.loadedS,
    incidents: facts.incidents,
  });
}

type OfBackend = Pick<RunSummary, "backendCalls" | "wastedBackendCalls" | "backend" | "effects" | "duplicateEffects">;

function ofBackend({ arrivals, effects, duplicateEffects, ...counts }: BackendStats): OfBackend {
  const { ok, failed, shed, expired, left, repeated, lost, waiting, serving, wasted, abandoned, longestQueue } = counts;
  return {
    backendCalls: arrivals,
    wastedBackendCalls: wastedCalls(counts),
    backend: { ok, failed, shed, expired, left, repeated, lost, waiting, serving, wasted, abandoned, longestQueue },
    effects,
    duplicateEffects,
  };
}

/** Numbers over the whole chain, for each client request. */
function ratesOf(facts: RunFacts, calls: number) {
  const { client, plan, tiers, elapsedS, mode, loadedS } = facts;
  const policies = tiers.flatMap((tier) => policyOf(tier) ?? []);
  const requests = client.due;
  const successRate = ratioOf(client.outcomes.ok, requests);
  // A closed loop offers what it happens to send.
  const rate = loadedS > 0 ? requests / loadedS : plan.rate;
  const planned = mode === "open" ? { ...plan, durationS: loadedS } : { rate, durationS: loadedS, rateProfile: [] };
  const limit = limitOf(planned, backendOf(tiers).faultsHistory);
  return {
    offeredRps: mode === "open" && loadedS > 0 ? offered(planned) / loadedS : rate,
    clientRequests: requests,
    succeeded: client.outcomes.ok,
    successRate,
    amplification: ratioOf(calls, requests),
    amplificationBound: requests === 0 ? null : finiteOrNull(chainBound(policies, requests, elapsedS)),
    limit,
    goodputOfLimit: ratioOf(successRate, limit.successRate),
  };
}

export function summarise(facts: RunFacts): RunSummary {
  const { client, plan, policy, world, scenario, seed, startedAt } = facts;
  const { clientLost, lost } = reconcile(client, facts.tiers.map(countsOf));
  const tiers = Object.fromEntries(
    facts.tiers.map((tier, i) => [tier.last.service, tierSummary(tier, lost[i] ?? 0, facts.elapsedS)]),
  );
  const backend = ofBackend(backendOf(facts.tiers));
  return {
    schema: 2,
    policy,
    world,
    scenario,
    seed,
    startedAt,
    ...verdictOf(facts, tiers, clientLost),
    durationSeconds: plan.durationS,
    ...ratesOf(facts, backend.backendCalls),
    tiers,
    ...backend,
    latencyMs: client.latencyMs,
    outcomes: client.outcomes,
    stopReasons: client.stopReasons,
    ...(facts.clientLagMs === null ? {} : { loopLagMs: lagsOf(facts) }),
    generator: generatorOf(facts),
  };
}
