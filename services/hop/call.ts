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

/** The answer that a caller gets when the last attempt ended with `last` and `stop` was the reason to leave it there. */
function answer(last: Reply, stop: StopReason, attempts: number): HopReply {
  const doNotRetry = last.doNotRetry === true || forbidsRetryAbove(stop);
  const late = stop === "deadline_too_near";
  const outcome = late ? "deadline" : last.outcome;
  const status = late ? 504 : last.status || (outcome === "timeout" ? 504 : 502);
  return { ...last, outcome, status, doNotRetry, stop, attempts };
}

export class Call {
  private readonly hop: HopState;
  private readonly request: HopRequest;
  private readonly done: (reply: HopReply) => void;
  private readonly arrivedAt: number;
  private readonly deadline: number;
  private attempts = 0;
  private delayMs = 0;
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
    const { watch, budget } = this.hop;
    watch?.arrived?.(this.request);
    budget.deposit("request", this.arrivedAt);
    this.attempt();
  }

  /** The caller has gone away: nothing more is begun, and what runs is cancelled. */
  abandon(): void {
    if (this.over) return;
    this.cancelSend();
    this.finish(CALLER_LEFT, "not_retryable");
  }

  private attempt(): void {
    const { clock, policy, watch, send } = this.hop;
    const startedAt = clock.now();
    const limitMs = attemptLimitMs(startedAt, this.deadline, policy.attemptTimeoutMs);
    if (limitMs <= 0) return this.finish(OUT_OF_TIME, "deadline_too_near");
    this.attempts += 1;
    const remainingMs = remainingForCallee(limitMs, this.deadline);
    const sent: HopRequest = { ...this.request, attempt: this.attempts, remainingMs };
    watch?.attemptStarted?.(sent);
    const onReply = (reply: Reply): void => this.attemptEnded(sent, reply, clock.now() - startedAt);
    if (limitMs !== Infinity) {
      const tooLate = limitMs < policy.attemptTimeoutMs ? OUT_OF_TIME : TOO_SLOW;
      this.cancelTimer = clock.after(limitMs, () => {
        this.cancelSend();
        onReply(tooLate);
      });
    }
    this.cancelSend = send(sent, onReply);
  }

  private attemptEnded(sent: HopRequest, reply: Reply, elapsedMs: number): void {
    const { clock, policy, watch, budget } = this.hop;
    this.settleAttempt();
    const now = clock.now();
    watch?.attemptEnded?.(sent, reply, elapsedMs);
    if (reply.outcome === "ok") budget.deposit("success", now);
    const situation = {
      reply,
      attempts: this.attempts,
      replayable: sent.method === "GET" || sent.idempotencyKey !== undefined,
      breakerClosed: true,
      now,
      deadline: this.deadline,
      previousDelayMs: this.delayMs,
    };
    const decision = decide(policy, situation, budget, () => this.luck());
    watch?.decided?.(sent, decision);
    if (!decision.retry) return this.finish(reply, decision.reason);
    this.delayMs = decision.delayMs;
    this.cancelTimer = clock.after(decision.delayMs, () => this.attempt());
  }

  /** Jitter is drawn only where a retry is due, so most requests never need a stream. */
  private luck(): number {
    this.rng ??= this.hop.rngFor(this.request);
    return this.rng();
  }

  private settleAttempt(): void {
    this.cancelTimer();
    this.cancelTimer = nothing;
    this.cancelSend = nothing;
  }

  private finish(last: Reply, stop: StopReason): void {
    if (this.over) return;
    this.over = true;
    this.settleAttempt();
    const reply = answer(last, stop, this.attempts);
    const outcome: Outcome = reply.outcome;
    this.hop.watch?.ended?.(this.request, outcome, reply, this.hop.clock.now() - this.arrivedAt);
    if (outcome !== "cancelled") this.done(reply);
  }
}
