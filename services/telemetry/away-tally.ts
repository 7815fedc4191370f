/** For how long something beside the chain has not answered a service: a budget's store, a collector of spans. */
import type { AwayStats } from "../contract/stats.ts";
import type { Clock } from "../policy/clock.ts";

/** Counts answers, and the time without one, from the run's beginning. */
export class AwayTally {
  private readonly clock: Pick<Clock, "now">;
  private answers = 0;
  private awayMs = 0;
  private awaySince: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.clock = clock;
  }

  begin(): void {
    [this.answers, this.awayMs] = [0, 0];
    if (this.awaySince !== undefined) this.awaySince = this.clock.now();
  }

  answered(): void {
    this.awayMs = this.stats().awayMs;
    this.awaySince = undefined;
    this.answers += 1;
  }

  /** @param since when it was asked in vain, where that is longer ago */
  silent(since = this.clock.now()): void {
    this.awaySince ??= since;
  }

  stats(): AwayStats {
    const { awaySince = Infinity, answers } = this;
    return { answers, awayMs: this.awayMs + Math.max(0, this.clock.now() - awaySince) };
  }
}
