/** A backend behind the penalty throttle (penalty.ts): no queue, and a call ends when its caller leaves. */
import type { Clock } from "../../policy/clock.ts";
import type { BackendConfig } from "./config.ts";
import type { Backend } from "./backend.ts";
import { emptyCounts, type BackendCounts } from "../../contract/backend-counts.ts";
import { injectsError } from "./fault-injection.ts";
import { FaultsInForce, type FaultsSince } from "./faults-in-force.ts";
import type { Faults } from "../../contract/faults.ts";
import { penaltyOf, RecentArrivals } from "./penalty.ts";
import type { BackendRequest, Serve } from "./request.ts";
import type { Shared } from "./shared-state.ts";

export class PenaltyBackend implements Backend {
  private readonly config: BackendConfig;
  private readonly clock: Clock;
  private readonly shared: Shared;
  private seed: number;
  private readonly inForce: FaultsInForce;
  private arrivals = new RecentArrivals();
  private serving = 0;
  private tally = emptyCounts();

  constructor(config: BackendConfig, clock: Clock, shared: Shared, seed: number) {
    this.config = config;
    this.clock = clock;
    this.shared = shared;
    this.seed = seed;
    this.inForce = new FaultsInForce(config, clock);
  }

  readonly serve: Serve = (request, done) => {
    const now = this.clock.now();
    const { capacity, errorRate, latencyMs } = this.inForce.now;
    this.tally.arrivals += 1;
    this.arrivals.add(now);
    const penalty = penaltyOf(this.arrivals.rate(now), capacity, errorRate);
    const { id } = request;
    const visit = { seed: this.seed, id, n: this.shared.visits.next(id), replica: 0 };
    this.serving += 1;
    // What is slowed down stands in for a queue: it tells that the backend, and not the machine, made callers wait.
    if (penalty.latencyMs > 0) this.tally.longestQueue = Math.max(this.tally.longestQueue, this.serving);
    let over = false;
    const cancel = this.clock.after(latencyMs + penalty.latencyMs, () => {
      over = true;
      this.serving -= 1;
      const failed = injectsError(visit, penalty.errorRate);
      this.count(request, failed);
      done(failed ? { outcome: "failed", status: 500 } : { outcome: "ok", status: 200 });
    });
    return () => {
      if (over) return;
      over = true;
      cancel();
      this.serving -= 1;
      this.tally.left += 1;
    };
  };

  faults(): Faults {
    return this.inForce.now;
  }

  change(change: Partial<Faults>): void {
    this.inForce.change(change);
  }

  /** It has no defences. */
  configure(): void {}

  begin(seed: number): void {
    this.seed = seed;
    this.shared.visits.clear();
    this.shared.ledger.clear();
    this.tally = emptyCounts();
    this.arrivals = new RecentArrivals();
    this.inForce.begin(this.config.timeline, (change) => this.change(change));
  }

  counts(): BackendCounts {
    const { effects, duplicates: duplicateEffects } = this.shared.ledger;
    return { ...this.tally, effects, duplicateEffects, serving: this.serving };
  }

  faultsHistory(): readonly FaultsSince[] {
    return this.inForce.history;
  }

  private count({ id, method, idempotencyKey }: BackendRequest, failed: boolean): void {
    this.tally[failed ? "failed" : "ok"] += 1;
    if (!failed && method === "POST") this.shared.ledger.record(idempotencyKey ?? id);
  }
}
