/**
 * Who may use a connection now, and who waits for one.
 *
 * A pool that opens connections without end is itself metastable under load, so their number is capped, and what waits
 * is counted and can leave. The HTTP client's own queue cannot be left: there a cancelled attempt would stay until its
 * turn came.
 */
import type { Cancel } from "../policy/clock.ts";

/** Beyond this many waiting attempts the process itself would be the fault. */
export const LONGEST_WAIT_LIST = 10_000;

const nothing: Cancel = () => {};

export class Slots {
  private readonly waitList = new Set<{ readonly run: () => void }>();
  private free: number;

  /** @param slots how many may run at a time, 1 or more */
  constructor(slots: number) {
    this.free = slots;
  }

  get waiting(): number {
    return this.waitList.size;
  }

  /**
   * Calls `run` at once, or as soon as a slot is free and those before have had theirs. Whoever ran calls `release`.
   * The returned `Cancel` leaves the wait list, and does nothing once `run` was called.
   * @returns undefined where the list is full: `run` will not be called
   */
  enter(run: () => void): Cancel | undefined {
    if (this.free > 0) {
      this.free -= 1;
      run();
      return nothing;
    }
    if (this.waitList.size >= LONGEST_WAIT_LIST) return undefined;
    const entry = { run };
    this.waitList.add(entry);
    return () => this.waitList.delete(entry);
  }

  release(): void {
    const next = this.waitList.values().next();
    if (next.done === true) {
      this.free += 1;
      return;
    }
    this.waitList.delete(next.value);
    next.value.run();
  }
}
