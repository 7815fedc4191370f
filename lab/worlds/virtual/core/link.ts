/**
 * The wire between two tiers, in virtual time: what HTTP/1.1 over kept-alive connections does, without the bytes.
 *
 * A request takes `oneWayMs` down and its answer `oneWayMs` up. Each holds one of `connections` while it is out; the
 * others wait for one in order. A caller who gives up frees the connection at once, and the callee learns of it
 * `oneWayMs` later, so whatever was under way arrives first: a call that was sent is always counted below.
 */
import { Fifo } from "../../../../services/policy/queue/fifo.ts";
import type { HopRequest } from "../../../../services/contract/request.ts";
import type { WireReply } from "../../../../services/contract/wire.ts";
import type { Cancel, Clock } from "../../../../services/policy/clock.ts";

/** The callee's side. `done` is called at most once; the returned `Cancel` says that the caller has gone. */
export type Callee = (request: HopRequest, done: (reply: WireReply) => void) => Cancel;

export interface LinkParts {
  readonly clock: Clock;
  readonly callee: Callee;
  /** Milliseconds for one direction; 0 or more. */
  readonly oneWayMs: number;
  /** Requests that can be out at once; 1 or more, Infinity for no limit. */
  readonly connections: number;
}

/** Called with the answer; with undefined where no connection was to be had, nor a place to wait for one. */
export type Done = (reply: WireReply | undefined) => void;

/** As in the HTTP client: whoever finds this many before him is turned away. */
const LONGEST_WAIT_LIST = 10_000;

interface Exchange {
  readonly request: HopRequest;
  readonly done: Done;
  state: "waiting" | "out" | "over";
  leave: Cancel | undefined;
}

export class Link {
  private readonly parts: LinkParts;
  private readonly queue = new Fifo<Exchange>();
  private out = 0;
  private waiting = 0;
  private neverSent = 0;

  constructor(parts: LinkParts) {
    this.parts = parts;
  }

  /** Requests that are out or wait for a connection. */
  get open(): number {
    return this.out + this.waiting;
  }

  /** Requests that never got a connection. */
  get unsent(): number {
    return this.neverSent;
  }

  /** Sends `request`; `done` is called once, later, unless cancelled first. */
  send(request: HopRequest, done: Done): Cancel {
    const exchange: Exchange = { request, done, state: "waiting", leave: undefined };
    if (this.out < this.parts.connections) this.goOut(exchange);
    else this.wait(exchange);
    return () => this.giveUp(exchange);
  }

  private wait(exchange: Exchange): void {
    this.waiting += 1;
    this.queue.push(exchange);
    if (this.waiting <= LONGEST_WAIT_LIST) return;
    this.parts.clock.after(0, () => {
      if (exchange.state !== "waiting") return;
      this.giveUp(exchange);
      exchange.done(undefined);
    });
  }

  private goOut(exchange: Exchange): void {
    const { clock, callee, oneWayMs } = this.parts;
    this.out += 1;
    exchange.state = "out";
    clock.after(oneWayMs, () => {
      exchange.leave = callee(exchange.request, (reply) => {
        clock.after(oneWayMs, () => this.comeBack(exchange, reply));
      });
    });
  }

  private comeBack(exchange: Exchange, reply: WireReply): void {
    if (exchange.state === "over") return;
    exchange.state = "over";
    this.freeConnection();
    exchange.done(reply);
  }

  private freeConnection(): void {
    this.out -= 1;
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      if (next.state !== "waiting") continue;
      this.waiting -= 1;
      this.goOut(next);
      return;
    }
  }

  private giveUp(exchange: Exchange): void {
    const { clock, oneWayMs } = this.parts;
    const before = exchange.state;
    exchange.state = "over";
    if (before === "waiting") {
      this.waiting -= 1;
      this.neverSent += 1;
    } else if (before === "out") {
      clock.after(oneWayMs, () => exchange.leave?.());
      this.freeConnection();
    }
  }
}
