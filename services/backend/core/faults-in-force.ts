/** Which faults hold now: the configured ones, changed by the timeline and by a presenter's hand. */
import type { Cancel, Clock } from "../../policy/clock.ts";
import type { FaultStep } from "../../contract/fault-timeline.ts";
import { faultsIn, type Faults } from "../../contract/faults.ts";

/** The faults that hold from `atMs` after the run began. */
export type FaultsSince = Faults & { readonly atMs: number };

const HISTORY_LIMIT = 1000;

export class FaultsInForce {
  private readonly initial: Faults;
  private readonly clock: Clock;
  private timers: Cancel[] = [];
  private beganAt: number;
  now: Faults;
  /** Oldest first; at most 1,000 changes are kept. */
  history: FaultsSince[];

  constructor(initial: Faults, clock: Clock) {
    this.initial = faultsIn(initial);
    this.clock = clock;
    this.now = this.initial;
    this.beganAt = clock.now();
    this.history = [{ atMs: 0, ...this.now }];
  }

  change(change: Partial<Faults>): void {
    this.now = { ...this.now, ...change };
    if (this.history.length >= HISTORY_LIMIT) return;
    this.history.push({ atMs: this.clock.now() - this.beganAt, ...this.now });
  }

  /** Back to the configured faults; `apply` is called at each step of the timeline. */
  begin(timeline: readonly FaultStep[], apply: (change: Partial<Faults>) => void): void {
    for (const cancel of this.timers) cancel();
    this.now = this.initial;
    this.beganAt = this.clock.now();
    this.history = [{ atMs: 0, ...this.now }];
    this.timers = timeline.map((step) => this.clock.after(step.atMs, () => apply(step.change)));
  }
}
