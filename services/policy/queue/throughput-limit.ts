/**
 * The smallest number of calls at once that the callee still serves at its full pace, found by trying: hill climbing on
 * throughput.
 *
 *     by Little's law  throughput = limit / time;  a callee with room serves more when more is asked of it at once,
 *     one at its capacity serves no more, and the others only wait longer
 *
 *     hold   measure the throughput at the limit, then try another limit, up and down by turns
 *     up     limit · 2:        kept if throughput ≥ 1.05 · that at the limit before; then further up
 *     down   limit · 1/2, 3/4: kept if throughput ≥ 0.97 · that at the limit before; then further down
 *
 * A trial costs throughput. So after one that brought nothing it holds twice as long, up to eight times, until the throughput at
 * the limit changes by itself: then the callee has changed, and what was found out of it is out of date.
 *
 * Where nothing at all is served, the limit is one at once, as TCP's window after a timeout: what was given up stands in the
 * callee's queue all the same, and each further call would make it longer.
 *
 * It learns nothing while the limit is not in use, since then it is not the limit that decides. Latency is not looked
 * at: an attempt that takes long because the callee works long is told from one that waits, which a limit by latency
 * (aimd, gradient) cannot do without a number that fits the callee.
 */

const INITIAL = 4;
const LEAST = 1;
const MOST = 200;

const UP = 2;
/** By turns: a coarse step is quicker, a fine one may be kept where the coarse one is not. */
const DOWN = [0.5, 0.75] as const;
/** A step up must bring this much more, and a step down may cost this much. */
const GAIN = 1.05;
const KEPT = 0.97;

/** Calls over which a throughput is measured, or as many as the limit; over few, only what is obvious counts. */
const FEW_CALLS = 6;
const MANY_CALLS = 24;
const OBVIOUS = 1.7;
/** Holds before the next trial, after trials that brought nothing. */
const LONGEST_HOLD = 8;
/** A throughput beyond this factor of what was usual at the same limit: the callee has changed. */
const CHANGED = 1.3;

type Phase = "hold" | "up" | "down";

/** Calls that ended since a moment. */
interface Count {
  calls: number;
  served: number;
  since: number;
}

function add(count: Count, isServed: boolean): void {
  count.calls += 1;
  if (isServed) count.served += 1;
}

function restart(count: Count, now: number): void {
  count.calls = 0;
  count.served = 0;
  count.since = now;
}

/** Served per millisecond. */
const rateOf = ({ served, since }: Count, now: number): number => served / Math.max(now - since, 1e-9);

export class ThroughputLimit {
  private phase: Phase = "hold";
  private next: "up" | "down" = "up";
  private fine = 0;
  private current = INITIAL;
  /** What a trial, and the next hold, is compared with. */
  private before = { limit: INITIAL, perMs: 0 };
  private holds = 0;
  private holdFor = 1;
  /** Whether the last few calls looked as if the callee had changed. */
  private suspects = false;
  /** Calls that still run from before the limit was set, or was in use. */
  private early = INITIAL;
  /** Since the limit was set or last judged, and the latest few of it. */
  private readonly whole = { calls: 0, served: 0, since: 0 };
  private readonly part = { calls: 0, served: 0, since: 0 };

  limit(): number {
    return this.current;
  }

  /**
   * @param isServed whether the callee has worked on it: neither refused nor given up
   * @param isFull whether somebody waits for the limit
   */
  attemptEnded(isServed: boolean, now: number, isFull: boolean): void {
    if (!isFull) {
      this.early = this.current;
      return;
    }
    // Those that began under another limit end first, and do not count.
    if (this.early > 0) {
      this.early -= 1;
      restart(this.whole, now);
      restart(this.part, now);
      return;
    }
    this.count(isServed, now);
  }

  private count(isServed: boolean, now: number): void {
    const { phase, whole, part, current } = this;
    for (const each of [whole, part]) add(each, isServed);
    // A round of calls that began together ends together: less than all of them would be too quick or too slow.
    if (part.calls < Math.max(FEW_CALLS, current)) return;
    if (part.served === 0) return this.collapse();
    const sure = whole.calls >= Math.max(MANY_CALLS, 2 * current);
    const perMs = rateOf(sure ? whole : part, now);
    if (phase === "hold") this.hold(perMs, sure, part.served === part.calls, now);
    else if (sure || (phase === "up" && perMs >= this.before.perMs * OBVIOUS)) this.judge(perMs);
    restart(part, now);
  }

  private hold(perMs: number, sure: boolean, allServed: boolean, now: number): void {
    const usual = this.before.perMs;
    const factor = sure ? CHANGED : OBVIOUS;
    const isChanged = perMs > usual * factor || perMs < usual / factor;
    // The calls that showed it were partly of before, and a few may mislead: the next ones tell.
    if (isChanged && !sure && !this.suspects) {
      this.suspects = true;
      return restart(this.whole, now);
    }
    this.suspects = false;
    if (isChanged) {
      this.holdFor = 1;
      // Whose calls come to nothing asks for too much; else what is missing may be more at once.
      this.next = allServed ? "up" : "down";
      return this.attempt(perMs);
    }
    if (!sure) return;
    this.holds += 1;
    if (this.holds >= this.holdFor) return this.attempt(perMs);
    this.before = { limit: this.current, perMs };
    restart(this.whole, now);
  }

  /** Nothing comes of what is asked: as little as possible, until something does. */
  private collapse(): void {
    this.before = { limit: LEAST, perMs: 0 };
    this.next = "up";
    this.holdFor = 1;
    this.set("hold", LEAST);
  }

  private judge(perMs: number): void {
    const { limit, perMs: usual } = this.before;
    const isKept = perMs >= usual * (this.phase === "up" ? GAIN : KEPT);
    if (isKept) {
      this.holdFor = 1;
      return this.attempt(perMs);
    }
    this.endTrial(limit);
  }

  /** Nothing is gained this way: back to, or on at, `limit`. */
  private endTrial(limit: number): void {
    if (this.next === "down") this.fine = 1 - this.fine;
    this.next = this.next === "up" ? "down" : "up";
    this.holdFor = Math.min(LONGEST_HOLD, 2 * this.holdFor);
    this.set("hold", limit);
  }

  private attempt(perMs: number): void {
    this.before = { limit: this.current, perMs };
    const wanted = this.next === "up" ? this.current * UP : Math.floor(this.current * (DOWN[this.fine] ?? 1));
    const limit = Math.min(MOST, Math.max(LEAST, wanted));
    if (limit === this.current) this.endTrial(limit);
    else this.set(this.next, limit);
  }

  private set(phase: Phase, limit: number): void {
    this.phase = phase;
    this.current = limit;
    this.holds = 0;
    this.suspects = false;
    this.early = limit;
  }
}
