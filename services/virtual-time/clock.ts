/**
 * Time that passes only when something happens.
 *
 * The same policy code that waits 200 ms on the real clock waits for nothing here: the clock jumps from one event to
 * the next. Twenty seconds of a storm take as long as the machine needs to compute them.
 */
import type { Cancel, Clock } from "../policy/clock.ts";
import { EventHeap } from "./event-heap.ts";

export class VirtualClock implements Clock {
  private readonly heap = new EventHeap();
  private time = 0;

  now(): number {
    return this.time;
  }

  after(delayMs: number, run: () => void): Cancel {
    const event = this.heap.add(this.time + (delayMs > 0 ? delayMs : 0), run);
    return () => this.heap.cancel(event);
  }

  /** Events that will still happen. */
  get pending(): number {
    return this.heap.pending;
  }

  /** Runs all that is due up to and at `untilMs`, then stands at `untilMs`. What those events add is run as well. */
  runUntil(untilMs: number): void {
    for (let next = this.heap.nextTime(); next <= untilMs; next = this.heap.nextTime()) this.step(next);
    this.time = Math.max(this.time, untilMs);
  }

  /**
   * Runs until nothing is left to happen, and stands at the last event's time.
   * @param atMostMs no event after this time is run: a bound for what would never fall idle
   * @returns true when idle, false when the bound came first
   */
  runUntilIdle(atMostMs = Infinity): boolean {
    for (let next = this.heap.nextTime(); next <= atMostMs; next = this.heap.nextTime()) {
      if (next === Infinity) return true;
      this.step(next);
    }
    return this.heap.pending === 0;
  }

  private step(time: number): void {
    this.time = time;
    this.heap.take()?.();
  }
}
