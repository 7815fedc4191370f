/**
 * One logical request at one hop, from arrival to answer: the retry loop.
 *
 * There is never more than one timer and one attempt alive at a time, and each is undone by whatever ends it, so
 * nothing outlives the answer.
 */
import type { Cancel, Rng } from "../policy/clock.ts";
import { attemptLimitMs, deadlineAt, remainingForCallee } from "../policy/deadline.ts";
import { decide, forbidsRetryAbove } from "../policy/decide.ts";
import type { Outcome, Reply, StopReason } from "../policy/outcome.ts";
import type { HopState } from "./hop.ts";
import type { HopReply, HopRequest } from "./request.ts";

const nothing: Cancel = () => {};

const OUT_OF_TIME: Reply = { outcome: "deadline", status: 504 };
const TOO_SLOW: Reply = { outcome: "timeout", status: 504 };
const CALLER_LEFT: Reply = { outcome: "cancelled", status: 499 };

/** What a caller is told whose request an open breaker refuses before anything was sent. */
function failFast(retryAfterMs: number | undefined): Reply {
  return { outcome: "overloaded", status: 503, retryAfterMs };
}

/** The answer that a caller gets when the last attempt ended with `last` and `stop` was the reason to leave it there. */
function answer(last: Reply, stop: StopReason, attempts: number): HopReply {
  const doNotRetry = last.doNotRetry === true || forbidsRetryAbove(stop);
  const late = stop === "deadline_too_near";
  const outcome = late ? "deadline" : last.outcome;
  const status = late ? 504 : last.status || (outcome === "timeout" ? 504 : 502);
  const { retryAfterMs, sent, body } = last;
  return { outcome, status, retryAfterMs, doNotRetry, sent, body, stop, attempts };
}

/** `request` as it goes on. Written out, since copying with a spread costs more than all of the policy. */
function nextHopRequest(request: HopRequest, attempt: number, remainingMs: number | undefined): HopRequest {
  const { id, method, path, traceparent, idempotencyKey } = request;
  return { id, method, path, traceparent, idempotencyKey, attempt, remainingMs };
}

interface Attempt {
  readonly sent: HopRequest;
  readonly startedAt: number;
  /** What the breaker let it through with. */
  readonly ticket: number;
}

export class Call {
  private readonly hop: HopState;
  private readonly request: HopRequest;
  private readonly done: (reply: HopReply) => void;
  private readonly arrivedAt: number;
  private readonly deadline: number;
  private attempts = 0;
  private delayMs = 0;
  /** How the attempt before this one ended. */
  private last: Reply | undefined;
  /** The attempt that is running; a transport that answers another one is too late. */
  private running: Attempt | undefined;
  private over = false;
  private rng: Rng | undefined;
  private cancelTimer = nothing;
  private cancelSend = nothing;

  constructor(hop: HopState, request: HopRequest, done: (reply: HopReply) => void) {
    this.hop = hop;
    this.request = request;
    this.done = done;
    this.arrivedAt = hop.clock.now();
    this.deadline = deadlineAt(this.arrivedAt, hop.policy.deadlineMs, request.remainingMs);
  }

  begin(): void {
    this.hop.watch?.arrived?.(this.request);
    this.attempt();
  }

  /** The caller has gone away: nothing more is begun, and what runs is cancelled. */
  abandon(): void {
    if (this.over) return;
    this.cancelSend();
    if (this.running !== undefined) this.settle(this.running, CALLER_LEFT);
    this.finish(CALLER_LEFT, "not_retryable");
  }

  private attempt(): void {
    const { clock, policy, watch, budget, circuit, send } = this.hop;
    const startedAt = clock.now();
    if (this.deadline - startedAt <= policy.minAttemptMs)
      return this.finish(OUT_OF_TIME, "deadline_too_near");
    const ticket = this.admission(startedAt);
    if (ticket === undefined)
      return this.finish(this.last ?? failFast(circuit.coolOffLeftMs(startedAt)), "breaker_open");
    // Only a request that makes an attempt pays in: one that arrives expired adds nothing to this hop's own traffic.
    if (this.attempts === 0) budget.deposit("request", startedAt);
    this.attempts += 1;
    const limitMs = attemptLimitMs(startedAt, this.deadline, policy.attemptTimeoutMs);
    const remainingMs = remainingForCallee(limitMs, this.deadline);
    const attempt: Attempt = {
      sent: nextHopRequest(this.request, this.attempts, remainingMs),
      startedAt,
      ticket,
    };
    this.running = attempt;
    watch?.attemptStarted?.(attempt.sent);
    if (limitMs !== Infinity) this.cancelTimer = clock.after(limitMs, () => this.outOfTime(attempt, limitMs));
    this.cancelSend = send(attempt.sent, (reply) => this.attemptEnded(attempt, reply));
  }

  /**
   * The breaker's leave to begin an attempt, or undefined. It may have opened during the backoff. A retry is no probe: it
   * has just seen a failure, so a fresh request tells more.
   */
  private admission(now: number): number | undefined {
    const { circuit } = this.hop;
    if (this.attempts > 0 && circuit.state !== "closed") return undefined;
    return circuit.begin(now, this.luck);
  }

  private outOfTime(attempt: Attempt, limitMs: number): void {
    this.cancelSend();
    this.attemptEnded(attempt, limitMs < this.hop.policy.attemptTimeoutMs ? OUT_OF_TIME : TOO_SLOW);
  }

  private attemptEnded(attempt: Attempt, reply: Reply): void {
    if (this.running !== attempt) return;
    this.settle(attempt, reply);
    const { clock, policy, watch, budget, circuit } = this.hop;
    const now = clock.now();
    const { sent } = attempt;
    if (reply.outcome === "ok") budget.deposit("success", now);
    const situation = {
      reply,
      attempts: this.attempts,
      replayable: sent.method === "GET" || sent.idempotencyKey !== undefined,
      breakerClosed: circuit.state === "closed",
      now,
      deadline: this.deadline,
      previousDelayMs: this.delayMs,
    };
    const decision = decide(policy, situation, budget, this.luck);
    watch?.decided?.(sent, decision);
    if (!decision.retry) return this.finish(reply, decision.reason);
    this.delayMs = decision.delayMs;
    this.last = reply;
    this.cancelTimer = clock.after(decision.delayMs, () => this.attempt());
  }

  /** An attempt has ended with `reply`: undoes its timer, and reports it once. */
  private settle(attempt: Attempt, reply: Reply): void {
    this.running = undefined;
    this.clearTimer();
    this.cancelSend = nothing;
    const now = this.hop.clock.now();
    this.hop.circuit.end(attempt.ticket, reply, now, this.luck);
    this.hop.watch?.attemptEnded?.(attempt.sent, reply, now - attempt.startedAt);
  }

  /** Jitter is drawn only where a retry is due, so most requests never need a stream. */
  private readonly luck: Rng = () => {
    this.rng ??= this.hop.rngFor(this.request);
    return this.rng();
  };

  private clearTimer(): void {
    this.cancelTimer();
    this.cancelTimer = nothing;
  }

  private finish(last: Reply, stop: StopReason): void {
    if (this.over) return;
    this.over = true;
    this.clearTimer();
    const reply = answer(last, stop, this.attempts);
    const outcome: Outcome = reply.outcome;
    this.hop.watch?.ended?.(this.request, outcome, reply, this.hop.clock.now() - this.arrivedAt);
    if (last !== CALLER_LEFT) this.done(reply);
  }
}
