/**
 * One logical request at one hop, from arrival to answer: the retry loop.
 *
 * There is never more than one timer and one attempt alive at a time; where the hop hedges, one round. Each is undone
 * by whatever ends it, so nothing outlives the answer.
 */
import type { Cancel, Rng } from "../../policy/clock.ts";
import { attemptLimitMs, deadlineAt, remainingForCallee } from "../../policy/deadline.ts";
import { decide } from "../../policy/retry-decision.ts";
import { isRetriedOn } from "../../policy/retry-on.ts";
import type { Hedger } from "../../policy/hedge/hedge.ts";
import type { Outcome, Reply, StopReason } from "../../policy/outcome.ts";
import { answerCaller, CALLER_LEFT, failFast, OUT_OF_TIME, TOO_SLOW } from "./answer.ts";
import { Attempt } from "./attempt.ts";
import type { HopState } from "./state.ts";
import type { HopDone, HopRequest } from "../../contract/request.ts";
import { Round, type RoundOwner } from "./hedge-round.ts";

const nothing: Cancel = () => {};

/** What runs: one attempt, or a round of it and its second copy. */
type Running = Pick<Attempt, "sent" | "giveUp">;

export class Call implements RoundOwner {
  private readonly hop: HopState;
  readonly request: HopRequest;
  private readonly done: HopDone;
  private readonly arrivedAt: number;
  private readonly deadline: number;
  /** Attempts sent, second copies included. */
  private attempts = 0;
  /** Attempts sent, an attempt and its second copy counted once. */
  private rounds = 0;
  private delayMs = 0;
  private waitedMs = 0;
  /** Whether the budget has granted a retry that it has not yet been told the end of. */
  private isOnBudget = false;
  /** How the attempt before this one ended. */
  private last: Reply | undefined;
  private running: Running | undefined;
  /** How long the attempt, or round, that began last may take. */
  private limitMs = Infinity;
  /** What the breaker let it through with. */
  private ticket = 0;
  /** The replica that was asked last. */
  private replica: number | undefined;
  /** Answered, or abandoned. */
  over = false;
  private stream: Rng | undefined;
  private cancelTimer = nothing;

  constructor(hop: HopState, request: HopRequest, done: HopDone, arrivedAt = hop.clock.now()) {
    this.hop = hop;
    this.request = request;
    this.done = done;
    this.arrivedAt = arrivedAt;
    this.deadline = deadlineAt(this.arrivedAt, hop.policy.deadlineMs, request.remainingMs);
  }

  begin(): void {
    this.attempt();
  }

  /** The caller has gone away: nothing more is begun and what runs is cancelled, if the policy follows its caller. */
  abandon(): void {
    if (this.over || this.hop.policy.followCaller === false) return;
    this.running?.giveUp(CALLER_LEFT);
    this.finish(CALLER_LEFT, "not_retryable");
  }

  private attempt(): void {
    const { clock, policy, budget, circuit, hedger } = this.hop;
    const startedAt = clock.now();
    if (this.deadline - startedAt <= policy.minAttemptMs)
      return this.finish(this.last ?? OUT_OF_TIME, "deadline_too_near");
    const ticket = this.askBreaker(startedAt);
    if (ticket === undefined)
      return this.finish(this.last ?? failFast(circuit.coolOffLeftMs(startedAt)), "breaker_open");
    // Only a request that makes an attempt pays in: one that arrives expired adds nothing to this hop's own traffic.
    if (this.rounds === 0) {
      budget.deposit("request", startedAt);
      hedger?.deposit(startedAt);
    }
    this.rounds += 1;
    this.ticket = ticket;
    this.limitMs = attemptLimitMs(startedAt, this.deadline, policy.attemptTimeoutMs);
    if (this.limitMs !== Infinity) this.cancelTimer = clock.after(this.limitMs, () => this.outOfTime());
    if (hedger !== undefined && this.request.method === "GET") this.beginRound(hedger);
    else this.beginAttempt();
  }

  private beginAttempt(): void {
    const attempt = this.nextAttempt(undefined, false);
    this.running = attempt;
    attempt.begin(this);
  }

  private beginRound(hedger: Hedger): void {
    const round = new Round(this.hop, hedger, this);
    this.running = round;
    round.begin();
  }

  nextAttempt(original: Attempt | undefined, tied: boolean): Attempt {
    const { clock, circuit, replicas } = this.hop;
    const now = clock.now();
    this.attempts += 1;
    if (replicas !== undefined) {
      this.replica = this.replica === undefined ? replicas.first() : replicas.after(this.replica, now);
    }
    const limitMs = original === undefined ? this.limitMs : this.limitMs - (now - original.startedAt);
    const ticket = original === undefined ? this.ticket : (circuit.begin(now, this.rng) ?? this.ticket);
    const tie = tied ? (original?.sent.attempt ?? this.attempts) : undefined;
    const { id, method, path, traceparent, idempotencyKey } = this.request;
    // Written out, since copying with a spread costs more than all of the policy.
    const sent: HopRequest = {
      id,
      method,
      path,
      traceparent,
      idempotencyKey,
      attempt: this.attempts,
      remainingMs: this.hop.policy.passDeadline === false ? undefined : remainingForCallee(limitMs, this.deadline),
      replica: this.replica,
      tied: tie,
    };
    return new Attempt(this.hop, sent, now, ticket, this.rng);
  }

  /**
   * The breaker's ticket for an attempt; undefined where it refuses one. It may have opened during the backoff. A retry
   * is no probe: it has just seen a failure, so a fresh request tells more.
   */
  private askBreaker(now: number): number | undefined {
    const { circuit } = this.hop;
    if (this.rounds > 0 && circuit.state !== "closed") return undefined;
    return circuit.begin(now, this.rng);
  }

  private outOfTime(): void {
    const { running } = this;
    if (running === undefined) return;
    const reply = this.limitMs < this.hop.policy.attemptTimeoutMs ? OUT_OF_TIME : TOO_SLOW;
    running.giveUp(reply);
    this.ended(running.sent, reply);
  }

  attemptEnded({ sent }: Attempt, reply: Reply): void {
    this.ended(sent, reply);
  }

  /** The attempt, or the round, has ended with `reply`. */
  private ended(sent: HopRequest, reply: Reply): void {
    this.running = undefined;
    this.clearTimer();
    const { clock, policy, watch, budget, circuit, admission } = this.hop;
    const now = clock.now();
    admission?.attemptEnded(reply);
    if (reply.outcome === "ok") budget.deposit("success", now, this.last);
    else if (reply.doNotRetry === true || isRetriedOn(policy.retryOn, reply)) budget.hear?.("failed", now);
    this.settleRetry(now);
    const situation = {
      reply,
      attempts: this.rounds,
      replayable: sent.method === "GET" || sent.idempotencyKey !== undefined,
      breakerClosed: circuit.state === "closed",
      now,
      deadline: this.deadline,
      previousDelayMs: this.delayMs,
      waitedMs: this.waitedMs,
      elsewhere: this.hasElsewhere(now),
    };
    const decision = decide(policy, situation, budget, this.rng);
    watch?.decided?.(sent, decision);
    if (!decision.retry) return this.finish(reply, decision.reason);
    this.isOnBudget = true;
    this.delayMs = decision.delayMs;
    this.waitedMs += decision.delayMs;
    this.last = reply;
    this.cancelTimer = clock.after(decision.delayMs, () => this.attempt());
  }

  private settleRetry(now: number): void {
    if (this.isOnBudget) this.hop.budget.hear?.("settled", now);
    this.isOnBudget = false;
  }

  private hasElsewhere(now: number): boolean {
    const { replicas } = this.hop;
    return replicas !== undefined && this.replica !== undefined && replicas.hasCool(this.replica, now);
  }

  /** Jitter is drawn only where a retry is due, so most requests never need a stream. */
  private readonly rng: Rng = () => {
    this.stream ??= this.hop.rngFor(this.request);
    return this.stream();
  };

  private clearTimer(): void {
    this.cancelTimer();
    this.cancelTimer = nothing;
  }

  private finish(last: Reply, stop: StopReason): void {
    if (this.over) return;
    this.over = true;
    this.clearTimer();
    const now = this.hop.clock.now();
    this.settleRetry(now);
    const reply = answerCaller(last, stop, this.attempts);
    const outcome: Outcome = reply.outcome;
    this.hop.watch?.ended?.(this.request, outcome, reply, now - this.arrivedAt);
    if (last !== CALLER_LEFT) this.done(reply);
  }
}
