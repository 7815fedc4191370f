/** One client request over HTTP: from the moment it is due to its answer, its failure or the client's patience. */
import type { Dispatcher } from "undici";
import { ATTEMPTS_MADE } from "../../services/contract/headers.ts";
import type { Slots } from "../../services/http/slots.ts";
import type { Cancel, Clock } from "../../services/policy/clock.ts";
import type { Outcome } from "../../services/policy/outcome.ts";
import { readAnswer, requestHeaders, type Said } from "./order-wire.ts";
import type { Arrival } from "../core/schedule.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** Characters of an answer that are kept: enough for any problem+json of the lab. */
const LONGEST_PROBLEM = 8192;

const GAVE_UP = new Error("the client gave up");

/** What became of a request. */
export interface Ending extends Said {
  /** When it was handed to the HTTP client; undefined when all connections were taken until the end. */
  readonly handedAt?: number | undefined;
  /** Whether it went out on a connection. */
  readonly sent: boolean;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** 0 where no answer came. */
  readonly status: number;
}

export interface Target {
  readonly dispatcher: Dispatcher;
  readonly slots: Slots;
  readonly clock: Clock;
  /** The client's patience from the time at which a request was due, in milliseconds; Infinity for no end. */
  readonly timeoutMs: number;
  /** No connection could be made: the system allows this process, or all of them, no further open file. */
  readonly onOutOfFiles?: () => void;
}

const OUT_OF_FILES = new Set(["EMFILE", "ENFILE"]);

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export class ClientExchange implements Dispatcher.DispatchHandler {
  private readonly target: Target;
  private readonly done: (ending: Ending) => void;
  private readonly stopWaiting: Cancel;
  private leaveLine: Cancel | undefined;
  private hasSlot = false;
  private over = false;
  private controller: Dispatcher.DispatchController | undefined;
  private handedAt: number | undefined;
  private sent = false;
  private status = 0;
  private headers: Headers = {};
  private text = "";

  /**
   * Sends at once, or as soon as a connection is free.
   * @param dueAt on the target's clock
   * @param done called exactly once, perhaps at once
   */
  constructor(target: Target, arrival: Arrival, traceId: string, dueAt: number, done: (ending: Ending) => void) {
    const { clock, slots, timeoutMs } = target;
    this.target = target;
    this.done = done;
    this.stopWaiting =
      timeoutMs === Infinity
        ? () => {}
        : clock.after(Math.max(0, dueAt + timeoutMs - clock.now()), () => this.giveUp());
    this.leaveLine = slots.enter(() => this.dispatch(arrival, traceId));
    if (this.leaveLine === undefined) this.end("failed");
  }

  private dispatch(arrival: Arrival, traceId: string): void {
    this.hasSlot = true;
    this.handedAt = this.target.clock.now();
    const { id, method } = arrival;
    try {
      const options = { method, path: `/orders/${id}`, headers: requestHeaders(arrival, traceId).flat() };
      this.target.dispatcher.dispatch(options, this);
    } catch {
      this.end("failed");
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The client gave up while the connection was being made. Thrown rather than aborted: that spares the connection.
    if (this.over) throw GAVE_UP;
    this.controller = controller;
    this.sent = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.text.length < LONGEST_PROBLEM) this.text += chunk.toString("latin1");
  }

  onResponseEnd(): void {
    const { status, headers, text } = this;
    const contentType = headerOf(headers, "content-type");
    const { outcome, ...said } = readAnswer({
      status,
      contentType,
      attempts: headerOf(headers, ATTEMPTS_MADE),
      text,
    });
    this.end(outcome, said);
  }

  onResponseError(_?: Dispatcher.DispatchController, error?: NodeJS.ErrnoException): void {
    if (OUT_OF_FILES.has(error?.code ?? "")) this.target.onOutOfFiles?.();
    this.status = 0;
    this.end("failed");
  }

  private giveUp(): void {
    if (this.over) return;
    this.status = 0;
    this.leaveLine?.();
    this.end("timeout");
    this.controller?.abort(GAVE_UP);
  }

  private end(outcome: Outcome, said: Said = {}): void {
    if (this.over) return;
    this.over = true;
    this.stopWaiting();
    if (this.hasSlot) this.target.slots.release();
    const { handedAt, sent, status } = this;
    this.done({ handedAt, sent, endedAt: this.target.clock.now(), outcome, status, ...said });
  }
}
