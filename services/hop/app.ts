/**
 * A hop over HTTP: the pure hop of core/hop.ts between an express app and an undici client.
 *
 * A run begins with a new hop, so that no run starts with what an earlier one left in the budget.
 */
import type { Express } from "express";
import { addAdministration } from "../http/admin.ts";
import { addLastResorts, createApp } from "../http/app.ts";
import { sharedBudgets, type BudgetStore } from "./fleet-budgets.ts";
import { sendHopAnswer } from "./http-answer.ts";
import { logging } from "./log.ts";
import { measuring } from "./metrics.ts";
import type { HttpClient } from "../http/client.ts";
import { leaseStoreOf } from "./lease-store.ts";
import type { Logger } from "../telemetry/log.ts";
import { METRICS } from "../telemetry/metric-names.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { addOrderRoutes } from "../http/routes.ts";
import { addPolicyRoute } from "../http/policy-route.ts";
import { watchProcess } from "../telemetry/process-stats.ts";
import { retryPolicyOf } from "./config.ts";
import { runService } from "../http/service.ts";
import { checkUpstream } from "../http/service-config.ts";
import type { HopStats } from "../contract/stats.ts";
import { createUpstreams } from "../http/upstreams.ts";
import type { HopTracing } from "../telemetry/hop-spans.ts";
import type { Tracing } from "../telemetry/tracing-sdk.ts";
import type { Clock } from "../policy/clock.ts";
import { jitterOf } from "../policy/rng-keys.ts";
import type { RetryPolicy } from "../policy/retry-policy.ts";
import { CIRCUIT_STATES } from "./core/circuit.ts";
import { counting, emptyHopCounts, type HopCounts } from "./core/counts.ts";
import { createHop, type Hop } from "./core/hop.ts";
import type { HopWatch } from "../contract/request.ts";
import { watchAll } from "./core/watch-all.ts";

export interface HopAppParts {
  /** The tier's name in the chain. */
  readonly name: string;
  readonly policy: RetryPolicy;
  /** One address, or those of all its instances with commas between. */
  readonly upstreamUrl: string;
  /** The most connections to the upstream, 1 or more. */
  readonly upstreamConnections: number;
  readonly seed: number;
  /** Where a budget lives that instances share; closed with the app. Absent where none does. */
  readonly store?: BudgetStore | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStopping: () => boolean;
  /** Absent where no spans are wanted. */
  readonly tracing?: Tracing | undefined;
}

export interface HopApp {
  readonly app: Express;
  /** Drops the connections to the upstream and stops watching the process. */
  readonly close: () => void;
}

interface Run {
  /** Calls under way stay with the hop that began them. */
  hop: Hop;
  readonly counts: HopCounts;
  unsent: number;
}

interface Runs {
  readonly metrics: Metrics;
  readonly client: HttpClient;
  current(): Run;
  policy(): RetryPolicy;
  store(): Pick<HopStats, "store">;
  begin(seed: number, name: string): void;
  /** From now on under `policy`, with a fresh budget; the run and its counters go on. */
  change(policy: RetryPolicy): void;
}

function watchGauges(metrics: Metrics, client: HttpClient, current: () => Run): void {
  metrics.gauge(METRICS.inFlight, () => current().counts.inFlight);
  metrics.gauge(METRICS.budgetBalance, () => current().hop.budgetBalance());
  metrics.state(METRICS.breakerState, "state", CIRCUIT_STATES, () => current().hop.breakerState());
  metrics.gauge(METRICS.admissionWaiting, () => current().hop.waiting());
  metrics.gauge(METRICS.upstreamWaiting, () => client.waiting());
}

function watchesOf(parts: HopAppParts, metrics: Metrics, spans: HopTracing | undefined): HopWatch[] {
  return [measuring(metrics), logging(parts.log, parts.name), ...(spans === undefined ? [] : [spans.watch])];
}

function clientOf(parts: HopAppParts, spans: HopTracing | undefined, onUnsent: () => void): HttpClient {
  const { upstreamUrl, upstreamConnections: connections } = parts;
  return createUpstreams({ upstreamUrl, connections, onUnsent, traceparentOf: spans?.traceparentOf });
}

function createRuns(parts: HopAppParts, spans: HopTracing | undefined): Runs {
  const { name, clock, store, log } = parts;
  let { policy, seed } = parts;
  const metrics = createMetrics(name);
  const countUnsent = metrics.plainCounter(METRICS.unsent);
  const watches = watchesOf(parts, metrics, spans);
  const shared = sharedBudgets({ hop: name, store, metrics, log, clock });
  const client = clientOf(parts, spans, () => {
    run.unsent += 1;
    countUnsent();
  });
  const hopFor = (counts: HopCounts, under = policy): Hop =>
    createHop({
      policy: under,
      budget: shared.fresh(under.budget),
      clock,
      send: client.send,
      rngFor: (request) => jitterOf(seed, name, request),
      watch: watchAll([counting(counts), ...watches]),
    });
  const begin = (counts = emptyHopCounts()): Run => ({ hop: hopFor(counts), counts, unsent: 0 });
  let run = begin();
  watchGauges(metrics, client, () => run);
  return {
    metrics,
    client,
    current: () => run,
    policy: () => policy,
    store: () => shared.stats(),
    begin(nextSeed, runName) {
      seed = nextSeed;
      shared.begin(runName);
      run = begin();
    },
    change(next) {
      // Made before anything changes: what cannot be made leaves all as it was.
      run.hop = hopFor(run.counts, next);
      policy = next;
    },
  };
}

/** A hop that is ready to serve; counters at zero, random numbers of `parts.seed`. */
export function createHopApp(parts: HopAppParts): HopApp {
  const { name, log } = parts;
  const figures = watchProcess(parts.tracing?.reach);
  const spans = parts.tracing?.hop();
  const runs = createRuns(parts, spans);
  const stats = (): HopStats => {
    const { hop, counts, unsent } = runs.current();
    const balance = hop.budgetBalance();
    const budgetBalance = balance === Infinity ? null : balance;
    return { service: name, kind: "hop", ...figures.read(), ...counts, unsent, budgetBalance, ...runs.store() };
  };
  const description = () => ({ service: name, kind: "hop" as const, policy: runs.policy() });
  const app = createApp();
  addOrderRoutes(app, {
    isStopping: parts.isStopping,
    handle: (request, done) => runs.current().hop.handle(spans?.enter(request) ?? request, done),
    answer: sendHopAnswer,
  });
  const begin = (seed: number, runName: string) => {
    runs.begin(seed, runName);
    figures.begin();
    return description();
  };
  const { isStopping } = parts;
  addAdministration(app, { isStopping, metrics: runs.metrics, stats, begin }, (router) =>
    addPolicyRoute(router, (values) => {
      runs.change(retryPolicyOf(values, name));
      log.info("the policy changed");
      return description();
    }),
  );
  addLastResorts(app, (error) => log.error({ err: error }, "a request broke this service"));
  const close = (): void => {
    figures.close();
    parts.store?.close();
    void runs.client.close();
  };
  return { app, close };
}

/**
 * A hop as a process. Its name says which settings are its own (EDGE_MAX_ATTEMPTS), UPSTREAM_URL whom it calls.
 * @param name the tier's name in the chain: edge, api, gateway, …
 */
export function runHop(name: string): void {
  runService(name, ({ values, config, clock, log, isStopping, tracing }) => {
    checkUpstream(config);
    return createHopApp({
      name,
      policy: retryPolicyOf(values, name),
      upstreamUrl: config.upstreamUrl,
      upstreamConnections: config.upstreamConnections,
      seed: config.seed,
      store: leaseStoreOf(config, clock),
      clock,
      log,
      isStopping,
      tracing,
    });
  });
}
