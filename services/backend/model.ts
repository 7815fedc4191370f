/**
 * The struggling dependency.
 *
 *     arrival → [bounded queue, or shed] → FIFO wait for a token → service latency → ok, or an error with ERROR_RATE
 *
 * By default it is naive in the way that hurts: a caller who has gone away does not leave the queue, so a token is
 * spent on an answer that nobody reads. The options (bounded queue, drop of expired deadlines, leave on disconnect)
 * are what a better dependency does.
 *
 * Whether a call fails is decided by the order's id and how often that order has been here before, not by a stream
 * that all calls share: two policies that call a different number of times still meet the same luck.
 */
import type { Cancel, Clock } from "../policy/clock.ts";
import { uniform } from "../policy/luck.ts";
import { emptyCounts, type BackendCounts } from "./counts.ts";
import type { Faults, FaultStep } from "./faults.ts";
import { BoundedCounts, Ledger } from "./ledger.ts";
import { Fifo } from "./queue.ts";
import type { BackendReply, BackendRequest, Serve } from "./request.ts";
import { Throttle } from "./throttle.ts";

/** What the backend does about too many calls: its own part of a policy. */
export interface BackendDefences {
  /** Calls that may wait for a token; beyond it they are shed with 503. Infinity: only the safety limit holds. */
  readonly queueLimit: number;
  /** Seconds that a shed reply asks the caller to stay away, 0 or more. */
  readonly shedRetryAfterS: number;
  /** Drop a queued call whose deadline has passed, instead of serving it. */
  readonly dropExpired: boolean;
  /** Let a caller who has gone away leave the queue. */
  readonly leaveOnDisconnect: boolean;
}

export interface BackendConfig extends Faults, BackendDefences {
  /** The most tokens saved up, 1 or more; undefined: a tenth of the capacity. */
  readonly capacityBurst?: number | undefined;
  readonly timeline: readonly FaultStep[];
}

/** No queue is endless: beyond this many waiting calls the process itself would be the fault. */
export const QUEUE_SAFETY_LIMIT = 100_000;

/** So many places of callers who have left may lie in the queue, and as many more as there are callers. */
const LEFT_BEHIND = 1024;

/** Stands in for a caller who has gone, so that a long queue does not hold on to connections that nobody uses. */
const nobody = (): void => {};

interface Job {
  readonly request: BackendRequest;
  done: (reply: BackendReply) => void;
  readonly expiresAt: number;
  state: "waiting" | "serving" | "over";
  callerLeft: boolean;
}

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

/** The faults that hold from `atMs` after the run began. */
export interface FaultsSince extends Faults {
  readonly atMs: number;
}

const HISTORY_LIMIT = 1000;

export function createBackend(config: BackendConfig, clock: Clock, seed: number): Backend {
  return new BackendModel(config, clock, seed);
}

class BackendModel implements Backend {
  private config: BackendConfig;
  private readonly clock: Clock;
  private seed: number;
  private current: Faults;
  private throttle: Throttle;
  private queue = new Fifo<Job>();
  private waiting = 0;
  private serving = 0;
  private tokenTimer: Cancel | undefined;
  private timelineTimers: Cancel[] = [];
  private readonly visits = new BoundedCounts();
  private readonly ledger = new Ledger();
  private tally = emptyCounts();
  private beganAt: number;
  private history: FaultsSince[];

  constructor(config: BackendConfig, clock: Clock, seed: number) {
    this.config = config;
    this.clock = clock;
    this.seed = seed;
    this.current = config;
    this.throttle = new Throttle(config.capacity, this.burst(), clock.now());
    this.beganAt = clock.now();
    this.history = [{ atMs: 0, ...this.faults() }];
  }

  readonly serve: Serve = (request, done) => {
    const now = this.clock.now();
    const expiresAt = request.remainingMs === undefined ? Infinity : now + request.remainingMs;
    const job: Job = { request, done, expiresAt, state: "waiting", callerLeft: false };
    this.tally.arrivals += 1;
    if (expiresAt <= now) this.expire(job);
    else if (this.waiting === 0 && this.throttle.tryTake(now)) this.start(job);
    else if (this.waiting >= Math.min(this.config.queueLimit, QUEUE_SAFETY_LIMIT)) this.shed(job);
    else this.enqueue(job);
    return () => this.leave(job);
  };

  faults(): Faults {
    const { capacity, errorRate, latencyMs } = this.current;
    return { capacity, errorRate, latencyMs };
  }

  change(change: Partial<Faults>): void {
    this.current = { ...this.current, ...change };
    if (this.history.length < HISTORY_LIMIT) {
      this.history.push({ atMs: this.clock.now() - this.beganAt, ...this.faults() });
    }
    this.throttle.change(this.current.capacity, this.burst(), this.clock.now());
    this.tokenTimer?.();
    this.tokenTimer = undefined;
    this.drain();
  }

  configure({ queueLimit, shedRetryAfterS, dropExpired, leaveOnDisconnect }: BackendDefences): void {
    this.config = { ...this.config, queueLimit, shedRetryAfterS, dropExpired, leaveOnDisconnect };
  }

  begin(seed: number): void {
    this.seed = seed;
    this.visits.clear();
    this.ledger.clear();
    this.tally = emptyCounts();
    this.current = this.config;
    this.throttle = new Throttle(this.current.capacity, this.burst(), this.clock.now());
    this.beganAt = this.clock.now();
    this.history = [{ atMs: 0, ...this.faults() }];
    for (const cancel of this.timelineTimers) cancel();
    this.timelineTimers = this.config.timeline.map((step) =>
      this.clock.after(step.atMs, () => this.change(step.change)),
    );
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
    return this.history;
  }

  private burst(): number {
    return Math.max(1, this.config.capacityBurst ?? this.current.capacity / 10);
  }

  private enqueue(job: Job): void {
    this.queue.push(job);
    this.waiting += 1;
    this.tally.longestQueue = Math.max(this.tally.longestQueue, this.waiting);
    this.drain();
  }

  /** Gives tokens to the queue in order for as long as there are any, then waits for the next one. */
  private drain(): void {
    const now = this.clock.now();
    for (let job = this.queue.peek(); job !== undefined; job = this.queue.peek()) {
      const gone = job.state === "over";
      const expired = !gone && this.config.dropExpired && job.expiresAt <= now;
      if (!gone && !expired && !this.throttle.tryTake(now)) break;
      this.queue.shift();
      if (gone) continue;
      this.waiting -= 1;
      if (expired) this.expire(job);
      else this.start(job);
    }
    if (this.waiting > 0 && this.tokenTimer === undefined) this.waitForToken(now);
  }

  private waitForToken(now: number): void {
    this.tokenTimer = this.clock.after(this.throttle.waitMs(now), () => {
      this.tokenTimer = undefined;
      this.drain();
    });
  }

  private start(job: Job): void {
    job.state = "serving";
    this.serving += 1;
    this.clock.after(this.current.latencyMs, () => this.complete(job));
  }

  private complete(job: Job): void {
    this.serving -= 1;
    const { id, method, idempotencyKey } = job.request;
    const fails = uniform(this.seed, id, this.visits.next(id)) < this.current.errorRate;
    this.tally[fails ? "failed" : "ok"] += 1;
    if (job.callerLeft) this.tally.wasted += 1;
    if (!fails && method === "POST") this.ledger.record(idempotencyKey ?? id);
    this.reply(job, fails ? { outcome: "failed", status: 500 } : { outcome: "ok", status: 200 });
  }

  private shed(job: Job): void {
    this.tally.shed += 1;
    this.reply(job, { outcome: "shed", status: 503, retryAfterS: this.config.shedRetryAfterS });
  }

  private expire(job: Job): void {
    this.tally.expired += 1;
    this.reply(job, { outcome: "expired", status: 504 });
  }

  private reply(job: Job, reply: BackendReply): void {
    job.state = "over";
    job.done(reply);
  }

  private leave(job: Job): void {
    if (job.state === "over" || job.callerLeft) return;
    job.callerLeft = true;
    job.done = nobody;
    if (job.state === "waiting" && this.config.leaveOnDisconnect) {
      job.state = "over";
      this.waiting -= 1;
      this.tally.left += 1;
      // Whoever left takes up room until the head of the queue comes by, which may be never.
      if (this.queue.length > 2 * this.waiting + LEFT_BEHIND)
        this.queue.retain((one) => one.state === "waiting");
    }
  }
}
