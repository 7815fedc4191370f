/**
 * What was counted in the last W milliseconds, in ten slices: the current slice and the nine before it count, and a
 * slice is forgotten whole. All is computed from `now`: no timer, and ten numbers however long it runs.
 */
const SLICES = 10;

export class SlidingCount {
  private readonly sliceMs: number;
  private readonly startedAt: number;
  private readonly slices = new Float64Array(SLICES);
  private current = 0;
  private total = 0;

  /** @param windowMs milliseconds, more than 0 */
  constructor(windowMs: number, startedAt: number) {
    this.sliceMs = windowMs / SLICES;
    this.startedAt = startedAt;
  }

  add(amount: number, now: number): void {
    this.moveTo(now);
    const slot = this.current % SLICES;
    this.slices[slot] = (this.slices[slot] ?? 0) + amount;
    this.total += amount;
  }

  sum(now: number): number {
    this.moveTo(now);
    return this.total;
  }

  /** Forgets what is too old; a clock that goes back stays in the current slice. */
  private moveTo(now: number): void {
    const slice = Math.max(this.current, Math.floor((now - this.startedAt) / this.sliceMs));
    for (let past = Math.max(this.current, slice - SLICES) + 1; past <= slice; past += 1) {
      this.total -= this.slices[past % SLICES] ?? 0;
      this.slices[past % SLICES] = 0;
    }
    this.current = slice;
  }
}
