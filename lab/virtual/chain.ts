/**
 * load → hops → backend in one virtual clock: the same `createHop` and `createBackend` that the services run over
 * HTTP, joined by links instead of sockets.
 */
import { createBackend, type Backend, type BackendConfig } from "../../services/backend/model.ts";
import { counting, emptyHopCounts, type HopCounts } from "../../services/hop/counts.ts";
import { createHop, type Hop } from "../../services/hop/hop.ts";
import { replyOfWire, wireReplyOf, type WireReply } from "../../services/hop/wire.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { seededRng } from "../../services/policy/luck.ts";
import type { Reply } from "../../services/policy/outcome.ts";
import type { RetryPolicy } from "../../services/policy/policy.ts";
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

export interface Chain {
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

const NO_CONNECTION: Reply = { outcome: "failed", status: 0, sent: false };

interface TierParts {
  readonly name: string;
  readonly policy: RetryPolicy;
  readonly seed: number;
  readonly clock: Clock;
  readonly link: Link;
}

function createTier({ name, policy, seed, clock, link }: TierParts): HopTier {
  const counts = emptyHopCounts();
  const hop = createHop({
    policy,
    clock,
    send: (request, done) => link.send(request, (wire) => done(wire ? replyOfWire(wire) : NO_CONNECTION)),
    rngFor: (request) => seededRng(seed, `${name}/${request.id}#${request.attempt}`),
    watch: counting(counts),
  });
  return { name, policy, hop, counts, link };
}

export function createChain(config: ChainConfig, clock: Clock): Chain {
  const { seed, oneWayMs } = config;
  const backend = createBackend(config.backend, clock, seed);
  backend.begin(seed);
  const tiers: HopTier[] = [];
  let callee = backendCallee(backend);
  for (const { name, policy } of config.hops.toReversed()) {
    const link = new Link({ clock, callee, oneWayMs, connections: config.connections });
    const tier = createTier({ name, policy, seed, clock, link });
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
