/**
 * load → hops → backend in one virtual clock: the same `createHop` and `createBackend` that the services run over
 * HTTP, joined by links instead of sockets.
 */
import { createBackend, type Backend, type BackendConfig } from "../../../../services/backend/core/model.ts";
import { counting, emptyHopCounts, type HopCounts } from "../../../../services/hop/core/counts.ts";
import { createHop, type Hop } from "../../../../services/hop/core/hop.ts";
import type { Send } from "../../../../services/contract/request.ts";
import { watchAll } from "../../../../services/hop/core/watch-all.ts";
import { replyOfWire, wireReplyOf, type WireReply } from "../../../../services/contract/wire.ts";
import type { Clock } from "../../../../services/policy/clock.ts";
import { jitterOf } from "../../../../services/policy/rng-keys.ts";
import type { Reply } from "../../../../services/policy/outcome.ts";
import type { RetryPolicy } from "../../../../services/policy/retry-policy.ts";
import { attemptKey, type ChainWatch, type WatchRun } from "./chain-watch.ts";
import { Link, type Callee } from "./link.ts";

export interface ChainConfig {
  readonly seed: number;
  /** From the client's side down; may be empty: then the client calls the backend itself. */
  readonly hops: readonly { readonly name: string; readonly policy: RetryPolicy }[];
  readonly backend: BackendConfig;
  readonly oneWayMs: number;
  /** Connections of each hop to the tier below it. */
  readonly connections: number;
  /** Connections of the client to the first tier. */
  readonly clientConnections: number;
}

export interface HopTier {
  readonly name: string;
  readonly policy: RetryPolicy;
  readonly hop: Hop;
  readonly counts: HopCounts;
  /** To the tier below. */
  readonly link: Link;
}

export interface VirtualChain {
  /** From the client to the first tier. */
  readonly entry: Link;
  /** From the client's side down. */
  readonly tiers: readonly HopTier[];
  readonly backend: Backend;
  /** Requests on the way anywhere: 0 when every caller has its answer or has left. */
  open(): number;
}

function backendCallee(backend: Backend): Callee {
  return (request, done) =>
    backend.serve(request, ({ status, retryAfterS }) => {
      const wire: WireReply = { status, doNotRetry: false };
      done(retryAfterS === undefined ? wire : { ...wire, retryAfterS: Math.ceil(retryAfterS) });
    });
}

function watched(callee: Callee, watch: ChainWatch): Callee {
  return (request, done) => {
    watch.backendArrived(request);
    const leave = callee(request, (reply) => {
      watch.backendAnswered(request, reply.status);
      done(reply);
    });
    return () => {
      watch.backendLeft(request);
      leave();
    };
  };
}

const NO_CONNECTION: Reply = { outcome: "failed", status: 0, sent: false };

interface TierParts {
  readonly name: string;
  readonly policy: RetryPolicy;
  readonly seed: number;
  readonly clock: Clock;
  readonly link: Link;
  readonly watch: ChainWatch | undefined;
}

function createTier({ name, policy, seed, clock, link, watch }: TierParts): HopTier {
  const counts = emptyHopCounts();
  const send: Send = (request, done) => link.send(request, (wire) => done(wire ? replyOfWire(wire) : NO_CONNECTION));
  const traced: Send = (request, done) => send({ ...request, traceparent: attemptKey(name, request) }, done);
  const hop = createHop({
    policy,
    clock,
    send: watch === undefined ? send : traced,
    rngFor: (request) => jitterOf(seed, name, request),
    watch: watch === undefined ? counting(counts) : watchAll([counting(counts), watch.hop(name)]),
  });
  return { name, policy, hop, counts, link };
}

/** @param watchRun who looks on, where somebody does */
export function createVirtualChain(config: ChainConfig, clock: Clock, watchRun?: WatchRun): VirtualChain {
  const { seed, oneWayMs } = config;
  const backend = createBackend(config.backend, clock, seed);
  backend.begin(seed);
  const watch = watchRun?.(() => clock.now());
  const tiers: HopTier[] = [];
  let callee = backendCallee(backend);
  if (watch !== undefined) callee = watched(callee, watch);
  for (const { name, policy } of config.hops.toReversed()) {
    const link = new Link({ clock, callee, oneWayMs, connections: config.connections });
    const tier = createTier({ name, policy, seed, clock, link, watch });
    tiers.unshift(tier);
    callee = (request, done) => tier.hop.handle(request, (reply) => done(wireReplyOf(reply)));
  }
  const entry = new Link({ clock, callee, oneWayMs, connections: config.clientConnections });
  return {
    entry,
    tiers,
    backend,
    open: () => tiers.reduce((sum, tier) => sum + tier.link.open, entry.open),
  };
}
