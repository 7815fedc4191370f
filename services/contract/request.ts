/** What travels down the chain, and what a hop tells those who watch it. */
import type { Cancel } from "../policy/clock.ts";
import type { Decision } from "../policy/retry-decision.ts";
import type { HedgeEvent } from "../policy/hedge/hedge.ts";
import type { Outcome, Reply, StopReason } from "../policy/outcome.ts";

/** One request as it stands before a hop, or as a hop sends it on. */
export interface HopRequest {
  /** The same on every hop and attempt: the order's id. Random numbers are keyed by it. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Path and query, handed on as they are. */
  readonly path: string;
  /** W3C trace context; empty where there is none. */
  readonly traceparent: string;
  /** One key for all attempts at one write; absent where the client gave none. */
  readonly idempotencyKey?: string | undefined;
  /** Which attempt of the sender this is; 1 = the first. */
  readonly attempt: number;
  /** Milliseconds that remain, as the sender said; may be zero or less. */
  readonly remainingMs?: number | undefined;
  /** Which replica of the callee is meant, 1 to 8; absent where the callee may choose. Not handed on. */
  readonly replica?: number | undefined;
  /** For both of two tied copies: the attempt number of the first of them. Not handed on. */
  readonly tied?: number | undefined;
}

/**
 * Sends one attempt and calls `done` exactly once, later, unless cancelled first. Cancelling aborts the attempt and
 * whatever it set off below. Two exist: HTTP and the virtual transport.
 */
export type Send = (request: HopRequest, done: (reply: Reply) => void) => Cancel;

/** A hop's answer to one logical request. */
export interface HopReply extends Reply {
  readonly stop: StopReason;
  /** Attempts that were made below, 0 or more. */
  readonly attempts: number;
}

export type HopDone = (reply: HopReply) => void;

/**
 * Where a hop reports what it does: counters, logs, metrics and spans are made from it. Every member may be left out.
 */
export interface HopWatch {
  arrived?(request: HopRequest): void;
  /** `sent` is the request as it goes out; its `attempt` is this hop's number. */
  attemptStarted?(sent: HopRequest): void;
  attemptEnded?(sent: HopRequest, reply: Reply, elapsedMs: number): void;
  decided?(sent: HopRequest, decision: Decision): void;
  /** About a second copy: `request` is the copy where one went out, else the request that gets none. */
  hedged?(request: HopRequest, event: HedgeEvent): void;
  /** The logical request is over; `outcome` is `cancelled` where the caller left first. */
  ended?(request: HopRequest, outcome: Outcome, reply: HopReply, elapsedMs: number): void;
}
