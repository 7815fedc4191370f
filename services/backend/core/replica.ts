/**
 * One replica of the struggling dependency: its own limit, queue, throttle and stragglers. What it shares with the
 * others is in shared-state.ts; a backend without replicas is one of these.
 */
import type { Clock } from "../../policy/clock.ts";
import { capacityPart, QUEUE_SAFETY_LIMIT, type BackendConfig, type BackendDefences } from "./config.ts";
import type { Backend } from "./backend.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../policy/queue/concurrency-limit.ts";
import { emptyCounts, type BackendCounts } from "../../contract/backend-counts.ts";
import { injectsError, injectsLoss, injectedDelayMs, type Visit } from "./fault-injection.ts";
import { FaultsInForce, type FaultsSince } from "./faults-in-force.ts";
import type { Faults } from "../../contract/faults.ts";
import { discard, jobOf, type Job } from "./job.ts";
import { IdempotencyGate } from "./idempotency-gate.ts";
import type { BackendReply, Serve } from "./request.ts";
import type { Shared } from "./shared-state.ts";
import { TokenQueue, type Rate, type Turns } from "./token-queue.ts";

export interface ReplicaParts {
  /** The whole backend's. */
  readonly config: BackendConfig;
  readonly clock: Clock;
  readonly shared: Shared;
  /** 1 to n; 0 where there is only this one. */
  readonly number: number;
}

export class Replica implements Backend, Turns {
  private config: BackendConfig;
  private readonly clock: Clock;
  private readonly shared: Shared;
  private readonly number: number;
  /** Its part of the whole backend's queue, and of the capacity. */
  private readonly part: number;
  private readonly capacityPart: number;
  private seed: number;
  private readonly inForce: FaultsInForce;
  private readonly queue: TokenQueue;
  private limiter: ConcurrencyLimit;
  private tally = emptyCounts();

  constructor({ config, clock, shared, number }: ReplicaParts, seed: number) {
    this.config = config;
    this.clock = clock;
    this.shared = shared;
    this.number = number;
    this.part = 1 / (config.replicas ?? 1);
    this.capacityPart = capacityPart(config, number);
    this.seed = seed;
    this.inForce = new FaultsInForce(config, clock);
    this.queue = new TokenQueue(clock, config, this.rate(), this);
    this.limiter = createConcurrencyLimit(config.concurrencyLimit ?? "none");
  }

  readonly serve: Serve = (request, done) => {
    const now = this.clock.now();
    this.tally.arrivals += 1;
    const repeat = this.shared.idempotency.answer(request, done, now);
    if (repeat !== undefined) {
      this.tally.repeated += 1;
      return repeat;
    }
    const claimed = this.shared.idempotency.keyOf(request);
    const job = jobOf(request, done, { joinedAt: now, claimed, tally: this.tally });
    if (request.tied !== undefined) {
      job.tie = this.shared.ties.join(request.id, request.tied, () => this.withdraw(job));
    }
    if (job.expiresAt <= now) this.expire(job);
    else if (job.tie?.isServedElsewhere() === true) this.yieldTo(job);
    else if (this.queue.waiting + this.tally.serving >= this.limiter.limit()) this.shed(job);
    else if (this.queue.tryPass(now)) this.start(job);
    else if (this.queue.waiting >= this.mostWaiting()) this.shed(job);
    else this.queue.push(job);
    return () => this.leave(job);
  };

  faults(): Faults {
    return this.inForce.now;
  }

  change(change: Partial<Faults>): void {
    this.inForce.change(change);
    this.queue.change(this.rate());
  }

  configure(defences: BackendDefences): void {
    const { concurrencyLimit, dedup, dedupTtlMs } = this.config;
    this.config = { ...this.config, ...defences };
    this.queue.configure(this.config);
    if (defences.concurrencyLimit !== concurrencyLimit) {
      this.limiter = createConcurrencyLimit(defences.concurrencyLimit ?? "none");
    }
    if (defences.dedup !== dedup || defences.dedupTtlMs !== dedupTtlMs)
      this.shared.idempotency = new IdempotencyGate(this.config);
  }

  begin(seed: number): void {
    this.seed = seed;
    this.shared.visits.clear();
    this.shared.ledger.clear();
    this.shared.ties.clear();
    // Whoever is still here called for an earlier run, and has gone: a run begins with an empty backend.
    this.tally = emptyCounts();
    this.inForce.begin(this.config.timeline, (change) => this.change(change));
    this.queue.begin(this.rate());
    this.limiter = createConcurrencyLimit(this.config.concurrencyLimit ?? "none");
    this.shared.idempotency = new IdempotencyGate(this.config);
  }

  counts(): BackendCounts {
    return {
      ...this.tally,
      longestQueue: this.queue.longest,
      effects: this.shared.ledger.effects,
      duplicateEffects: this.shared.ledger.duplicates,
      waiting: this.queue.waiting,
      tokens: this.queue.tokens(this.clock.now()),
    };
  }

  faultsHistory(): readonly FaultsSince[] {
    return this.inForce.history;
  }

  private rate(): Rate {
    const { capacity } = this.inForce.now;
    const burst = this.config.capacityBurst ?? capacity / 10;
    return { perSecond: capacity * this.capacityPart, burst: Math.max(1, burst * this.capacityPart) };
  }

  private mostWaiting(): number {
    return Math.min(Math.ceil(this.config.queueLimit * this.part), QUEUE_SAFETY_LIMIT);
  }

  start(job: Job): void {
    job.state = "serving";
    this.tally.serving += 1;
    job.tie?.begin();
    const { id } = job.request;
    const visit = { seed: this.seed, id, n: this.shared.visits.next(id), replica: this.number };
    const faults = this.inForce.now;
    const tookMs = faults.latencyMs + injectedDelayMs(visit, this.config, faults);
    this.clock.after(tookMs, () => {
      this.queue.served(tookMs);
      if (job.tally === this.tally) this.complete(job, visit);
    });
  }

  private complete(job: Job, visit: Visit): void {
    this.tally.serving -= 1;
    const { id, method, idempotencyKey } = job.request;
    const failed = injectsError(visit, this.inForce.now.errorRate);
    this.tally[failed ? "failed" : "ok"] += 1;
    if (job.callerLeft) this.tally.wasted += 1;
    if (!failed && method === "POST") this.shared.ledger.record(idempotencyKey ?? id);
    this.limiter.ended(this.clock.now() - job.joinedAt, this.queue.waiting + this.tally.serving + 1);
    if (failed) this.reply(job, { outcome: "failed", status: 500 });
    else this.reply(job, { outcome: "ok", status: 200 }, injectsLoss(visit, this.config));
  }

  shed(job: Job): void {
    this.tally.shed += 1;
    const { shedStatus = 503, shedRetryAfterS: retryAfterS } = this.config;
    this.reply(job, { outcome: "shed", status: shedStatus, retryAfterS });
  }

  expire(job: Job): void {
    this.tally.expired += 1;
    this.reply(job, { outcome: "expired", status: 504 });
  }

  private reply(job: Job, reply: BackendReply, lost = false): void {
    job.state = "over";
    if (job.callerLeft) this.tally.abandoned -= 1;
    this.shared.idempotency.settle(job.claimed, reply, this.clock.now());
    if (lost) this.tally.lost += 1;
    job.done(lost ? { outcome: "lost", status: 0 } : reply);
  }

  private leave(job: Job): void {
    if (job.state === "over" || job.callerLeft) return;
    job.callerLeft = true;
    job.done = discard;
    if (job.state === "waiting" && this.config.leaveOnDisconnect) this.letGo(job);
    else job.tally.abandoned += 1;
  }

  private letGo(job: Job): void {
    job.state = "over";
    this.queue.leave();
    this.tally.left += 1;
    this.shared.idempotency.abandon(job.claimed, this.clock.now());
  }

  /** The other one of two tied copies has begun. */
  private withdraw(job: Job): void {
    if (job.state !== "waiting") return;
    this.queue.leave();
    this.yieldTo(job);
  }

  private yieldTo(job: Job): void {
    this.tally.left += 1;
    this.reply(job, { outcome: "conflict", status: 409 });
  }
}
