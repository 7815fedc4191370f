/** One client request over HTTP: from the moment it is due to its answer, its failure or the client's patience. */
import type { Dispatcher } from "undici";
import { ATTEMPT_COUNT, ATTEMPTS_MADE, IDEMPOTENCY_KEY, TRACEPARENT } from "../services/platform/headers.ts";
import { PROBLEM_TYPE } from "../services/platform/problem.ts";
import type { Slots } from "../services/platform/slots.ts";
import type { Cancel, Clock } from "../services/policy/clock.ts";
import {
  OUTCOMES,
  outcomeOfStatus,
  STOP_REASONS,
  type Outcome,
  type StopReason,
} from "../services/policy/outcome.ts";
import type { Arrival } from "./schedule.ts";
import { traceparentOf } from "./trace-id.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** Characters of an answer that are kept: enough for any problem+json of the lab. */
const LONGEST_PROBLEM = 8192;

const GAVE_UP = new Error("the client gave up");

/** What became of a request. */
export interface Ending {
  /** When it went out on a connection; undefined when it never did. */
  readonly sentAt?: number | undefined;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** 0 where no answer came. */
  readonly status: number;
  readonly stop?: StopReason | undefined;
  readonly attempts?: number | undefined;
}

export interface Target {
  readonly dispatcher: Dispatcher;
  readonly slots: Slots;
  readonly clock: Clock;
  /** The client's patience from the time at which a request was due, in milliseconds; Infinity for no end. */
  readonly timeoutMs: number;
}

interface Problem {
  readonly outcome?: Outcome | undefined;
  readonly stop?: StopReason | undefined;
}

/** What the edge says of itself in problem+json. An unknown word is as good as none. */
function readProblem(text: string): Problem {
  try {
    const { outcome, stop } = JSON.parse(text) as Record<string, unknown>;
    return {
      outcome: OUTCOMES.find((known) => known === outcome),
      stop: STOP_REASONS.find((known) => known === stop),
    };
  } catch {
    return {};
  }
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function attemptsOf(headers: Headers): number | undefined {
  const text = headerOf(headers, ATTEMPTS_MADE) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function headersOf({ idempotencyKey }: Arrival, traceId: string): string[] {
  const headers = [ATTEMPT_COUNT, "1", TRACEPARENT, traceparentOf(traceId)];
  if (idempotencyKey !== undefined) headers.push(IDEMPOTENCY_KEY, idempotencyKey);
  return headers;
}

export class ClientExchange implements Dispatcher.DispatchHandler {
  private readonly target: Target;
  private readonly done: (ending: Ending) => void;
  private readonly stopWaiting: Cancel;
  private leaveLine: Cancel | undefined;
  private hasSlot = false;
  private over = false;
  private controller: Dispatcher.DispatchController | undefined;
  private sentAt: number | undefined;
  private status = 0;
  private headers: Headers = {};
  private text = "";

  /**
   * Sends at once, or as soon as a connection is free.
   * @param dueAt on the target's clock
   * @param done called exactly once, perhaps at once
   */
  constructor(
    target: Target,
    arrival: Arrival,
    traceId: string,
    dueAt: number,
    done: (ending: Ending) => void,
  ) {
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
    const { id, method } = arrival;
    try {
      const options = { method, path: `/orders/${id}`, headers: headersOf(arrival, traceId) };
      this.target.dispatcher.dispatch(options, this);
    } catch {
      this.end("failed");
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The client gave up while the connection was being made. Thrown rather than aborted: that spares the connection.
    if (this.over) throw GAVE_UP;
    this.controller = controller;
    this.sentAt = this.target.clock.now();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.text.length < LONGEST_PROBLEM) this.text += chunk.toString("latin1");
  }

  onResponseEnd(): void {
    const isProblem = headerOf(this.headers, "content-type")?.startsWith(PROBLEM_TYPE) === true;
    const { outcome, stop } = isProblem ? readProblem(this.text) : {};
    const byStatus = outcomeOfStatus(this.status);
    const reason = byStatus === "ok" ? "success" : stop;
    this.end(outcome ?? byStatus, { stop: reason, attempts: attemptsOf(this.headers) });
  }

  onResponseError(): void {
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

  private end(outcome: Outcome, said: Pick<Ending, "stop" | "attempts"> = {}): void {
    if (this.over) return;
    this.over = true;
    this.stopWaiting();
    if (this.hasSlot) this.target.slots.release();
    const { sentAt, status } = this;
    this.done({ sentAt, endedAt: this.target.clock.now(), outcome, status, ...said });
  }
}
