/**
 * Attempts over HTTP: the `Send` of the real world.
 *
 * It has no retry of its own and no timeout: both belong to the policy. It is one undici Pool, since a hop has one
 * upstream (an Agent is a map of Pools, one an origin).
 */
import { Pool } from "undici";
import type { HopRequest, Send } from "../contract/request.ts";
import { Exchange } from "./exchange.ts";
import { Slots } from "./slots.ts";

/** Shorter than the server's (server.ts), so that an attempt never meets a connection that is just being closed. */
const IDLE_CONNECTION_MS = 30_000;

export interface HttpClientParts {
  /** For example http://127.0.0.1:8080; only its origin counts. */
  readonly upstreamUrl: string;
  /** The most connections at a time, 1 or more. */
  readonly connections: number;
  /** An attempt ended, or was cancelled, without having left this process. */
  readonly onUnsent: () => void;
  /**
   * Asked once, as an attempt leaves for `origin`: the trace context that it carries, "" for none. Where nobody is
   * there to be asked, it carries a span id of its own.
   */
  readonly traceparentOf?: ((sent: HopRequest, origin: string) => string) | undefined;
}

export interface HttpClient {
  readonly send: Send;
  /** Attempts that wait for a connection now. */
  waiting(): number;
  /** Drops all connections; attempts under way fail. */
  close(): Promise<void>;
}

/** At most so many connections to `origin`, one request at a time on each; who uses them has timeouts of its own. */
export function poolOf(origin: string, connections: number): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  });
}

export function createHttpClient(parts: HttpClientParts): HttpClient {
  const { upstreamUrl, connections, onUnsent, traceparentOf } = parts;
  const { origin } = new URL(upstreamUrl);
  const dispatcher = poolOf(origin, connections);
  const slots = new Slots(connections);
  const traceparentHere = traceparentOf && ((sent: HopRequest) => traceparentOf(sent, origin));
  const upstream = { dispatcher, slots, onUnsent, traceparentOf: traceparentHere };
  const send: Send = (request, done) => {
    const exchange = new Exchange(upstream, request, done);
    exchange.begin();
    return () => exchange.cancel();
  };
  return { send, waiting: () => slots.waiting, close: () => dispatcher.destroy() };
}
