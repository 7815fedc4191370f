/**
 * How late something may be without changing what a run concludes (docs/invalid.md has the derivation):
 *
 *     harmless = min( shortest timeout / 10,  p50 / 10,  length of the load / 100 )
 *
 * A delay of d ms makes no answer come more than d ms later, as long as it makes no attempt miss its timeout. So it moves
 * each latency by d at most, fails only attempts that ended within d of their timeout, and moves d's worth of requests
 * from one moment to the next.
 */

/** Of a timeout, and of the latency that is reported: what is smaller than a tenth is small. */
const SMALL = 0.1;
/** Of the load's length: as few requests may be sent at another time as may be late in a valid run. */
const SMALL_OF_LOAD = 0.01;

export interface Yardsticks {
  /** Of all attempt timeouts, deadlines, hedge delays and the client's patience, in milliseconds; Infinity for none. */
  readonly shortestTimeoutMs: number;
  /** The median that the run reports, in milliseconds; null where there is none. */
  readonly p50Ms: number | null;
  /** How long the load lasted, in seconds. */
  readonly loadedS: number;
}

/** In milliseconds; 0 where nothing was measured that a delay could be small against. */
export function harmlessMs({ shortestTimeoutMs, p50Ms, loadedS }: Yardsticks): number {
  return Math.min(SMALL * shortestTimeoutMs, SMALL * (p50Ms ?? 0), SMALL_OF_LOAD * loadedS * 1000);
}
