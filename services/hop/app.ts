/**
 * A hop over HTTP: the pure hop of hop.ts between an express app and an undici client.
 *
 * A run begins with a new hop, so that no run starts with what an earlier one left in the budget.
 */
import type { ServerResponse } from "node:http";
import type { Express } from "express";
import { addAdministration } from "../platform/admin.ts";
import { ATTEMPTS_MADE, RETRY_AFTER, RETRY_OK } from "../platform/headers.ts";
import { addLastResorts, createApp } from "../platform/http-app.ts";
import { logging } from "../platform/hop-log.ts";
import { measuring } from "../platform/hop-metrics.ts";
import { createHttpClient, type HttpClient } from "../platform/http-client.ts";
import type { Logger } from "../platform/log.ts";
import { METRICS } from "../platform/metric-names.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import { addOrderRoutes } from "../platform/order-routes.ts";
import { addPolicyRoute } from "../platform/policy-route.ts";
import { PROBLEM_TYPE, problemText } from "../platform/problem.ts";
import { watchProcess } from "../platform/process-stats.ts";
import { retryPolicyOf } from "../platform/retry-config.ts";
import { runService } from "../platform/service.ts";
import { ConfigError } from "../platform/values.ts";
import type { HopStats } from "../platform/stats.ts";
import type { Clock } from "../policy/clock.ts";
import { seededRng } from "../policy/luck.ts";
import type { RetryPolicy } from "../policy/policy.ts";
import { CIRCUIT_STATES } from "./circuit.ts";
import { counting, emptyHopCounts, type HopCounts } from "./counts.ts";
import { createHop, type Hop } from "./hop.ts";
import type { HopReply } from "./request.ts";
import { watchAll } from "./watch.ts";
import { wireReplyOf } from "./wire.ts";

export interface HopAppParts {
  /** The tier's name in the chain. */
  readonly name: string;
  readonly policy: RetryPolicy;
  readonly upstreamUrl: string;
  /** The most connections to the upstream, 1 or more. */
  readonly upstreamConnections: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

export interface HopApp {
  readonly app: Express;
  /** Drops the connections to the upstream and stops watching the process. */
  readonly close: () => void;
}

function answer(res: ServerResponse, reply: HopReply): void {
  const { status, retryAfterS, doNotRetry, outcome, stop, attempts, body } = wireReplyOf(reply);
  const isProblem = status >= 400;
  const text = isProblem ? problemText(status, { outcome: outcome ?? "failed", stop }) : (body ?? "");
  const headers: Record<string, string | number> = {
    "content-type": isProblem ? PROBLEM_TYPE : "application/json",
    "content-length": Buffer.byteLength(text),
    [ATTEMPTS_MADE]: attempts ?? 0,
  };
  if (retryAfterS !== undefined) headers[RETRY_AFTER] = retryAfterS;
  if (doNotRetry) headers[RETRY_OK] = "0";
  res.writeHead(status, headers);
  res.end(text);
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
  begin(seed: number): void;
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

function createRuns(parts: HopAppParts): Runs {
  const { name, upstreamUrl, upstreamConnections, clock, log } = parts;
  let { policy, seed: luck } = parts;
  const metrics = createMetrics(name);
  const countUnsent = metrics.plainCounter(METRICS.unsent);
  const watches = [measuring(metrics), logging(log, name)];
  const onUnsent = (): void => {
    run.unsent += 1;
    countUnsent();
  };
  const client = createHttpClient({ upstreamUrl, connections: upstreamConnections, onUnsent });
  const hopFor = (counts: HopCounts): Hop =>
    createHop({
      policy,
      clock,
      send: client.send,
      rngFor: ({ id, attempt }) => seededRng(luck, `${name}/${id}#${attempt}`),
      watch: watchAll([counting(counts), ...watches]),
    });
  const begin = (): Run => {
    const counts = emptyHopCounts();
    return { hop: hopFor(counts), counts, unsent: 0 };
  };
  let run = begin();
  watchGauges(metrics, client, () => run);
  return {
    metrics,
    client,
    current: () => run,
    policy: () => policy,
    begin(seed) {
      luck = seed;
      run = begin();
    },
    change(next) {
      policy = next;
      run.hop = hopFor(run.counts);
    },
  };
}

/** A hop that is ready to serve; counters at zero, luck of `parts.seed`. */
export function createHopApp(parts: HopAppParts): HopApp {
  const { name, log } = parts;
  const figures = watchProcess();
  const runs = createRuns(parts);
  const stats = (): HopStats => {
    const { hop, counts, unsent } = runs.current();
    const balance = hop.budgetBalance();
    const budgetBalance = balance === Infinity ? null : balance;
    return { service: name, kind: "hop", ...figures.read(), ...counts, unsent, budgetBalance };
  };
  const description = () => ({ service: name, kind: "hop" as const, policy: runs.policy() });
  const app = createApp();
  addOrderRoutes(app, {
    isStopping: parts.isStopping,
    handle: (request, done) => runs.current().hop.handle(request, done),
    answer,
  });
  const begin = (seed: number) => {
    runs.begin(seed);
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
    void runs.client.close();
  };
  return { app, close };
}

function checkUpstream(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  const given = url === "" ? "and it is not set" : `not "${url.slice(0, 100)}"`;
  throw new ConfigError([
    `UPSTREAM_URL must be the address of the tier below, like http://127.0.0.1:8080, ${given}`,
  ]);
}

/**
 * A hop as a process. Its name says which settings are its own (EDGE_MAX_ATTEMPTS), UPSTREAM_URL whom it calls.
 * @param name the tier's name in the chain: edge, api, gateway, …
 */
export function runHop(name: string): void {
  runService(name, ({ values, config, clock, log, isStopping }) => {
    checkUpstream(config.upstreamUrl);
    return createHopApp({
      name,
      policy: retryPolicyOf(values, name),
      upstreamUrl: config.upstreamUrl,
      upstreamConnections: config.upstreamConnections,
      seed: config.seed,
      clock,
      log,
      isStopping,
    });
  });
}
