/** One attempt over HTTP: from waiting for a connection to the answer, the error or the cancellation. */
import type { Dispatcher } from "undici";
import type { HopRequest } from "../contract/request.ts";
import { replyOfWire } from "../contract/wire.ts";
import type { Cancel } from "../policy/clock.ts";
import type { Reply } from "../policy/outcome.ts";
import { attemptHeaders, RETRY_AFTER, RETRY_OK } from "../contract/headers.ts";
import { PROBLEM_TYPE, stopOfProblem } from "../contract/problem.ts";
import { unseeded } from "../real-time/rng.ts";
import { childTraceparent } from "../contract/trace-context.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Slots } from "./slots.ts";

/** Bytes of an answer that are read; whoever sends more gets no answer out of us. */
export const LARGEST_ANSWER = 65_536;

// Made once: an error takes its time to make, and under a storm this one would be made at each timeout.
const CANCELLED = new Error("the attempt was cancelled");
const TOO_LARGE = new Error(`the answer is larger than ${LARGEST_ANSWER} bytes`);

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** What all attempts at one upstream share. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  readonly slots: Slots;
  /** An attempt ended, or was cancelled, without having left this process. */
  readonly onUnsent: () => void;
  /**
   * Asked once, as an attempt leaves, for its trace context; undefined: a new span id, of which nobody keeps a
   * record.
   */
  readonly traceparentOf: ((sent: HopRequest) => string) | undefined;
}

/** A span id of its own, whether or not anybody records the span. */
const ownSpanId = ({ traceparent }: HopRequest): string => childTraceparent(traceparent, unseeded);

const FAILED: Reply = { outcome: "failed", status: 0 };
const NEVER_SENT: Reply = { ...FAILED, sent: false };

export class Exchange implements Dispatcher.DispatchHandler {
  private readonly upstream: Upstream;
  private readonly request: HopRequest;
  private readonly done: (reply: Reply) => void;
  private leaveLine: Cancel | undefined;
  private hasSlot = false;
  private controller: Dispatcher.DispatchController | undefined;
  private beginning = true;
  private over = false;
  private status = 0;
  private headers: Headers = {};
  private chunks: Buffer[] = [];
  private size = 0;

  /** @param done called exactly once, after `begin` has returned, unless `cancel` comes first */
  constructor(upstream: Upstream, request: HopRequest, done: (reply: Reply) => void) {
    this.upstream = upstream;
    this.request = request;
    this.done = done;
  }

  begin(): void {
    this.leaveLine = this.upstream.slots.enter(() => this.dispatch());
    if (this.leaveLine === undefined) this.end(NEVER_SENT);
    this.beginning = false;
  }

  /** Gives the attempt up and closes its connection, which is how the callee learns of it. */
  cancel(): void {
    if (this.over) return;
    this.over = true; // undici reports its own abort to us within the call.
    this.leaveLine?.();
    this.controller?.abort(CANCELLED);
    this.settle();
  }

  private dispatch(): void {
    const { dispatcher, traceparentOf = ownSpanId } = this.upstream;
    const { method, path } = this.request;
    this.hasSlot = true;
    try {
      const headers = attemptHeaders(this.request, traceparentOf(this.request));
      dispatcher.dispatch({ method, path, headers }, this);
    } catch {
      this.end(NEVER_SENT);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Cancelled while its connection was being made. Thrown rather than aborted: that spares the connection.
    if (this.over) throw CANCELLED;
    this.controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > LARGEST_ANSWER) controller.abort(TOO_LARGE);
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.end(this.reply());
  }

  onResponseError(): void {
    this.end(this.controller === undefined ? NEVER_SENT : FAILED);
  }

  private reply(): Reply {
    const { status, headers } = this;
    const [only] = this.chunks;
    const text = (this.chunks.length === 1 && only ? only : Buffer.concat(this.chunks)).toString("utf8");
    const isProblem = textOf(headers["content-type"])?.startsWith(PROBLEM_TYPE) === true;
    return replyOfWire({
      status,
      retryAfterS: retryAfterSeconds(textOf(headers[RETRY_AFTER]), Date.now),
      doNotRetry: textOf(headers[RETRY_OK]) === "0",
      stop: isProblem ? stopOfProblem(text) : undefined,
      body: status < 400 ? text : undefined,
    });
  }

  private end(reply: Reply): void {
    if (this.over) return;
    if (this.beginning) {
      // undici can fail within `dispatch`, and `done` may not be called before `begin` has returned.
      queueMicrotask(() => this.end(reply));
      return;
    }
    this.settle();
    this.done(reply);
  }

  private settle(): void {
    this.over = true;
    if (this.controller === undefined) this.upstream.onUnsent();
    if (this.hasSlot) this.upstream.slots.release();
  }
}
