/**
 * How many calls may be in the backend at once, found out instead of configured: the algorithms, apart from the gate.
 *
 *     aimd      a call slower than SLOW_MS: limit · 0.9; else, while at least half of the limit is in use: limit + 1
 *     gradient  gradient = clamp(1.5 · usual / recent, 0.5, 1), limit = 0.8 · limit + 0.2 · (limit · gradient + 4)
 *
 * `usual` is the slowly moving mean of the latency and `recent` the last one. While calls are as fast as usual, the
 * limit grows by a small queue of 4. When they get slower, it shrinks.
 *
 * Source: Netflix concurrency-limits (AIMDLimit, Gradient2Limit), whose constants these are; SLOW_MS is ours, since a
 * call here takes milliseconds and not the five seconds of theirs.
 */

export const CONCURRENCY_LIMITS = ["none", "aimd", "gradient"] as const;
export type ConcurrencyLimitKind = (typeof CONCURRENCY_LIMITS)[number];

const INITIAL = 20;
const MOST = 200;
const LEAST = 1;

const SLOW_MS = 100;
const BACK_OFF = 0.9;

const TOLERANCE = 1.5;
const SMOOTHING = 0.2;
const QUEUE = 4;
/** Calls over which the usual latency is averaged. */
const LONG_WINDOW = 600;

const held = (limit: number): number => Math.min(MOST, Math.max(LEAST, limit));

/** A limit that learns from each call. */
export interface ConcurrencyLimit {
  /** Calls that may be in the backend at once; a fraction counts as room that is not there yet. */
  limit(): number;
  /** A call has ended after `latencyMs` from its arrival, with `inFlight` calls there at the time. */
  ended(latencyMs: number, inFlight: number): void;
}

function aimd(): ConcurrencyLimit {
  let limit = INITIAL;
  return {
    limit: () => limit,
    ended(latencyMs, inFlight) {
      if (latencyMs > SLOW_MS) limit = held(limit * BACK_OFF);
      else if (inFlight * 2 >= limit) limit = held(limit + 1);
    },
  };
}

function gradient(): ConcurrencyLimit {
  let limit = INITIAL;
  let usual = 0;
  let seen = 0;
  return {
    limit: () => limit,
    ended(latencyMs, inFlight) {
      seen = Math.min(LONG_WINDOW, seen + 1);
      usual += (latencyMs - usual) / seen;
      // A long time of overload must not become what is usual.
      if (usual > 2 * latencyMs) usual *= 0.95;
      if (inFlight < limit / 2) return;
      const slope = Math.min(1, Math.max(0.5, (TOLERANCE * usual) / Math.max(latencyMs, 0.001)));
      limit = held(limit * (1 - SMOOTHING) + (limit * slope + QUEUE) * SMOOTHING);
    },
  };
}

const NO_LIMIT: ConcurrencyLimit = { limit: () => Infinity, ended: () => {} };

export function createConcurrencyLimit(kind: ConcurrencyLimitKind): ConcurrencyLimit {
  if (kind === "aimd") return aimd();
  return kind === "gradient" ? gradient() : NO_LIMIT;
}
