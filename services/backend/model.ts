/**
 * The struggling dependency.
 *
 *     arrival → [known key] → [limit, bounded queue, or shed] → wait for a token → service latency → ok, or an error
 *
 * By default it is naive in the way that hurts: a caller who has gone away does not leave the queue, so a token is
 * spent on an answer that nobody reads. The options (bounded queue, other orders, drop of expired deadlines, leave on
 * disconnect, limits that learn, keys that are remembered) are what a better dependency does.
 *
 * Whether a call fails is decided by the order's id and how often that order has been here before, not by a stream
 * that all calls share: two policies that call a different number of times still meet the same luck.
 */
import type { Cancel, Clock } from "../policy/clock.ts";
import { QUEUE_SAFETY_LIMIT, type BackendConfig, type BackendDefences } from "./backend-config.ts";
import { Codel } from "./codel.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "./concurrency-limit.ts";
import { emptyCounts, type BackendCounts } from "./counts.ts";
import { fails, losesAnswer, straggle, type Visit } from "./fate.ts";
import { FaultsInForce, type FaultsSince } from "./faults-in-force.ts";
import type { Faults } from "./faults.ts";
import { nobody, type Job } from "./job.ts";
import { BoundedCounts, Ledger } from "./ledger.ts";
import { createLine, type Line } from "./line.ts";
import { RepeatGuard } from "./repeat-guard.ts";
import type { BackendReply, Serve } from "./request.ts";
import { Throttle } from "./throttle.ts";

export { QUEUE_SAFETY_LIMIT, type BackendConfig, type BackendDefences, type FaultsSince };

/** So many places of callers who have left may lie in the queue, and as many more as there are callers. */
const LEFT_BEHIND = 1024;

export interface Backend {
  readonly serve: Serve;
  faults(): Faults;
  change(change: Partial<Faults>): void;
  /** Changes the defences from the next arrival on; faults, queue and counters stay as they are. */
  configure(defences: BackendDefences): void;
  /** Begins a run: counters at zero, bucket full, timeline from its start, luck of `seed`. The queue must be empty. */
  begin(seed: number): void;
  counts(): BackendCounts;
  /** The faults in force since the run began, oldest first; at most 1,000 changes are kept. */
  faultsHistory(): readonly FaultsSince[];
}

export function createBackend(config: BackendConfig, clock: Clock, seed: number): Backend {
  return new BackendModel(config, clock, seed);
}

class BackendModel implements Backend {
  private config: BackendConfig;
  private readonly clock: Clock;
  private seed: number;
  private readonly inForce: FaultsInForce;
  private throttle: Throttle;
  private line: Line<Job>;
  private codel = new Codel();
  private limiter: ConcurrencyLimit;
  private repeats: RepeatGuard;
  private waiting = 0;
  private serving = 0;
  private tokenTimer: Cancel | undefined;
  private readonly visits = new BoundedCounts();
  private readonly ledger = new Ledger();
  private tally = emptyCounts();

  constructor(config: BackendConfig, clock: Clock, seed: number) {
    this.config = config;
    this.clock = clock;
    this.seed = seed;
    this.inForce = new FaultsInForce(config, clock);
    this.throttle = new Throttle(config.capacity, this.burst(), clock.now());
    this.line = createLine(config.queueOrder ?? "fifo");
    this.limiter = createConcurrencyLimit(config.concurrencyLimit ?? "none");
    this.repeats = new RepeatGuard(config);
  }

  readonly serve: Serve = (request, done) => {
    const now = this.clock.now();
    this.tally.arrivals += 1;
    const known = this.repeats.answer(request, done, now);
    if (known !== undefined) {
      this.tally.repeated += 1;
      return known;
    }
    const expiresAt = request.remainingMs === undefined ? Infinity : now + request.remainingMs;
    const claimed = this.repeats.keyOf(request);
    const attempt = request.attempt ?? 1;
    const job: Job = {
      request,
      done,
      expiresAt,
      state: "waiting",
      callerLeft: false,
      joinedAt: now,
      attempt,
      claimed,
    };
    if (expiresAt <= now) this.expire(job);
    else if (this.waiting + this.serving >= this.limiter.limit()) this.shed(job);
    else if (this.waiting === 0 && this.throttle.tryTake(now)) this.start(job);
    else if (this.waiting >= Math.min(this.config.queueLimit, QUEUE_SAFETY_LIMIT)) this.shed(job);
    else this.enqueue(job);
    return () => this.leave(job);
  };

  faults(): Faults {
    return this.inForce.now;
  }

  change(change: Partial<Faults>): void {
    this.inForce.change(change);
    this.throttle.change(this.inForce.now.capacity, this.burst(), this.clock.now());
    this.tokenTimer?.();
    this.tokenTimer = undefined;
    this.drain();
  }

  configure(defences: BackendDefences): void {
    const { queueOrder, concurrencyLimit, dedup, dedupTtlMs } = this.config;
    this.config = { ...this.config, ...defences };
    if (defences.queueOrder !== queueOrder) this.reorder();
    if (defences.concurrencyLimit !== concurrencyLimit) {
      this.limiter = createConcurrencyLimit(defences.concurrencyLimit ?? "none");
    }
    if (defences.dedup !== dedup || defences.dedupTtlMs !== dedupTtlMs)
      this.repeats = new RepeatGuard(this.config);
  }

  begin(seed: number): void {
    this.seed = seed;
    this.visits.clear();
    this.ledger.clear();
    this.tally = emptyCounts();
    this.inForce.begin(this.config.timeline, (change) => this.change(change));
    this.throttle = new Throttle(this.inForce.now.capacity, this.burst(), this.clock.now());
    this.codel = new Codel();
    this.limiter = createConcurrencyLimit(this.config.concurrencyLimit ?? "none");
    this.repeats = new RepeatGuard(this.config);
  }

  counts(): BackendCounts {
    return {
      ...this.tally,
      effects: this.ledger.effects,
      duplicateEffects: this.ledger.duplicates,
      waiting: this.waiting,
      serving: this.serving,
      tokens: this.throttle.balance(this.clock.now()),
    };
  }

  faultsHistory(): readonly FaultsSince[] {
    return this.inForce.history;
  }

  private burst(): number {
    return Math.max(1, this.config.capacityBurst ?? this.inForce.now.capacity / 10);
  }

  private reorder(): void {
    const now = this.clock.now();
    const before = this.line;
    this.line = createLine(this.config.queueOrder ?? "fifo");
    for (let job = before.shift(now); job !== undefined; job = before.shift(now)) this.line.push(job);
  }

  private enqueue(job: Job): void {
    this.line.push(job);
    this.waiting += 1;
    this.tally.longestQueue = Math.max(this.tally.longestQueue, this.waiting);
    this.drain();
  }

  /** Gives tokens to the queue in its order for as long as there are any, then waits for the next one. */
  private drain(): void {
    const now = this.clock.now();
    for (let job = this.line.peek(now); job !== undefined; job = this.line.peek(now)) {
      const gone = job.state === "over";
      const expired = !gone && this.config.dropExpired && job.expiresAt <= now;
      if (!gone && !expired && this.throttle.waitMs(now) > 0) break;
      this.line.shift(now);
      if (gone) continue;
      this.waiting -= 1;
      if (expired) this.expire(job);
      else if (this.config.codel === true && this.codel.drops(now - job.joinedAt, this.waiting > 0, now))
        this.shed(job);
      else if (this.throttle.tryTake(now)) this.start(job);
    }
    if (this.waiting === 0 || this.tokenTimer !== undefined) return;
    this.tokenTimer = this.clock.after(this.throttle.waitMs(now), () => {
      this.tokenTimer = undefined;
      this.drain();
    });
  }

  private start(job: Job): void {
    job.state = "serving";
    this.serving += 1;
    const { id } = job.request;
    const visit = { seed: this.seed, id, n: this.visits.next(id) };
    const latencyMs = this.inForce.now.latencyMs + straggle(visit, this.config);
    this.clock.after(latencyMs, () => this.complete(job, visit));
  }

  private complete(job: Job, visit: Visit): void {
    this.serving -= 1;
    const { id, method, idempotencyKey } = job.request;
    const failed = fails(visit, this.inForce.now.errorRate);
    this.tally[failed ? "failed" : "ok"] += 1;
    if (job.callerLeft) this.tally.wasted += 1;
    if (!failed && method === "POST") this.ledger.record(idempotencyKey ?? id);
    this.limiter.ended(this.clock.now() - job.joinedAt, this.waiting + this.serving + 1);
    if (failed) this.reply(job, { outcome: "failed", status: 500 });
    else this.reply(job, { outcome: "ok", status: 200 }, losesAnswer(visit, this.config));
  }

  private shed(job: Job): void {
    this.tally.shed += 1;
    this.reply(job, { outcome: "shed", status: 503, retryAfterS: this.config.shedRetryAfterS });
  }

  private expire(job: Job): void {
    this.tally.expired += 1;
    this.reply(job, { outcome: "expired", status: 504 });
  }

  private reply(job: Job, reply: BackendReply, lost = false): void {
    job.state = "over";
    this.repeats.settle(job.claimed, reply, this.clock.now());
    if (lost) this.tally.lost += 1;
    job.done(lost ? { outcome: "lost", status: 0 } : reply);
  }

  private leave(job: Job): void {
    if (job.state === "over" || job.callerLeft) return;
    job.callerLeft = true;
    job.done = nobody;
    if (job.state === "waiting" && this.config.leaveOnDisconnect) this.letGo(job);
  }

  private letGo(job: Job): void {
    job.state = "over";
    this.waiting -= 1;
    this.tally.left += 1;
    this.repeats.abandon(job.claimed, this.clock.now());
    // Whoever left takes up room until the head of the queue comes by, which may be never.
    if (this.line.length > 2 * this.waiting + LEFT_BEHIND) this.line.retain((one) => one.state === "waiting");
  }
}
