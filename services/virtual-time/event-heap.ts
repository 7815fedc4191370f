/**
 * What is due next: a binary heap of callbacks, ordered by (time, sequence).
 *
 * The sequence makes the order total: of two events at one moment, the one that was added first comes first. Without
 * it the heap's shape would decide, and the same seed could give two different runs.
 *
 * Times and sequences lie in typed arrays, since comparing is most of the work. Cancelling only empties the event;
 * empty events are thrown out once they are the larger part, so a cancelled timeout costs no search and no memory for
 * long.
 */

/** One thing to do. `run` is undefined once it was done or cancelled. */
export interface Event {
  run: (() => void) | undefined;
}

const FIRST_SIZE = 256;

/** Fills the places beyond the heap's end, so that the array neither shrinks nor holds on to what is past. */
const NO_EVENT: Event = { run: undefined };

/** Cancelled events that may lie in a small heap: below it, throwing them out costs more than it saves. */
const MOST_EMPTY = 64;

export class EventHeap {
  private times = new Float64Array(FIRST_SIZE);
  private sequences = new Float64Array(FIRST_SIZE);
  private readonly events: Event[] = [];
  private size = 0;
  private empty = 0;
  private added = 0;

  /** Events that will still happen. */
  get pending(): number {
    return this.size - this.empty;
  }

  /** Events that take up room, the cancelled ones included. */
  get kept(): number {
    return this.size;
  }

  add(time: number, run: () => void): Event {
    if (this.size === this.times.length) this.grow();
    const event: Event = { run };
    this.added += 1;
    this.size += 1;
    this.rise(this.size - 1, time, this.added, event);
    return event;
  }

  /** Empties `event`. Does nothing when it was done or cancelled before. */
  cancel(event: Event): void {
    if (event.run === undefined) return;
    event.run = undefined;
    this.empty += 1;
    if (this.empty > MOST_EMPTY && this.empty * 2 > this.size) this.throwOutEmpty();
  }

  /** Time of the next event that was not cancelled; Infinity when there is none. */
  nextTime(): number {
    while (this.size > 0 && this.events[0]?.run === undefined) {
      this.removeFirst();
      this.empty -= 1;
    }
    return this.size > 0 ? (this.times[0] as number) : Infinity;
  }

  /** Takes the event that `nextTime` has just told of; undefined when there is none. */
  take(): (() => void) | undefined {
    if (this.size === 0) return undefined;
    const event = this.removeFirst();
    const run = event.run;
    event.run = undefined;
    return run;
  }

  private removeFirst(): Event {
    const first = this.events[0] as Event;
    this.size -= 1;
    const { size, times, sequences, events } = this;
    const last = events[size] as Event;
    events[size] = NO_EVENT;
    if (size > 0) this.sink(0, times[size] as number, sequences[size] as number, last);
    return first;
  }

  private rise(from: number, time: number, sequence: number, event: Event): void {
    const { times, sequences, events } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      // What is new has the highest sequence: at equal times it stays below.
      if ((times[parent] as number) <= time) break;
      times[at] = times[parent] as number;
      sequences[at] = sequences[parent] as number;
      events[at] = events[parent] as Event;
      at = parent;
    }
    times[at] = time;
    sequences[at] = sequence;
    events[at] = event;
  }

  private sink(from: number, time: number, sequence: number, event: Event): void {
    const { times, sequences, events, size } = this;
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.isBefore(child + 1, times[child] as number, sequences[child] as number)) {
        child += 1;
      }
      if (!this.isBefore(child, time, sequence)) break;
      times[at] = times[child] as number;
      sequences[at] = sequences[child] as number;
      events[at] = events[child] as Event;
      at = child;
    }
    times[at] = time;
    sequences[at] = sequence;
    events[at] = event;
  }

  private isBefore(at: number, time: number, sequence: number): boolean {
    const other = this.times[at] as number;
    return other < time || (other === time && (this.sequences[at] as number) < sequence);
  }

  private throwOutEmpty(): void {
    const { times, sequences, events } = this;
    let kept = 0;
    for (let i = 0; i < this.size; i += 1) {
      const event = events[i] as Event;
      if (event.run === undefined) continue;
      times[kept] = times[i] as number;
      sequences[kept] = sequences[i] as number;
      events[kept] = event;
      kept += 1;
    }
    this.size = kept;
    this.empty = 0;
    events.fill(NO_EVENT, kept);
    for (let at = (kept >> 1) - 1; at >= 0; at -= 1) {
      this.sink(at, times[at] as number, sequences[at] as number, events[at] as Event);
    }
  }

  private grow(): void {
    const times = new Float64Array(this.times.length * 2);
    const sequences = new Float64Array(this.times.length * 2);
    times.set(this.times);
    sequences.set(this.sequences);
    this.times = times;
    this.sequences = sequences;
  }
}
