/**
 * One line of `series.ndjson`: what the chain did during one interval, as a rule one second.
 *
 * The services count up; a report wants rates. `sampleOf` takes two readings of the counters and gives what happened
 * between them, whoever read them: the generator from `GET /stats`, or the virtual world from its own objects.
 */

import { rounded } from "./format.ts";

/** Calls per second at one hop during an interval. */
export interface TierRate {
  readonly arrivals: number;
  readonly attempts: number;
}

export interface Sample {
  /** The interval's end, in seconds from the start of the schedule. */
  readonly tS: number;
  /** Client requests that were due, per second. */
  readonly offeredRps: number;
  /** Per second; keyed by hop name, from the client's side down. */
  readonly tiers: Readonly<Record<string, TierRate>>;
  readonly backend: {
    /** Per second, as are `ok`, `failed`, `shed` and `wasted`. */
    readonly arrivals: number;
    readonly ok: number;
    readonly failed: number;
    readonly shed: number;
    readonly wasted: number;
    /** At the interval's end: calls that wait for a token. */
    readonly waiting: number;
    /** At the interval's end: tokens in the throttle's bucket. */
    readonly tokens: number;
    /** At the interval's end: calls per second that the throttle lets through. */
    readonly capacity: number;
    /** At the interval's end: share of served calls that fail, 0 to 1. */
    readonly errorRate: number;
  };
}

/** One reading of the counters, all of them counted from the start of the run. */
export interface Reading {
  /** Milliseconds from the start of the schedule. */
  readonly atMs: number;
  /** Client requests that were due by then. */
  readonly due: number;
  readonly tiers: Readonly<Record<string, { readonly arrivals: number; readonly attempts: number }>>;
  readonly backend: Sample["backend"];
}

/** The faults that hold at `atMs`: the last change that is not later. undefined before the first. */
export function faultsAt<T extends { readonly atMs: number }>(history: readonly T[], atMs: number): T | undefined {
  return history.findLast((change) => change.atMs <= atMs);
}

/** Nothing has happened yet. The reading before the first one. */
export const NOTHING_COUNTED: Reading = {
  atMs: 0,
  due: 0,
  tiers: {},
  backend: {
    arrivals: 0,
    ok: 0,
    failed: 0,
    shed: 0,
    wasted: 0,
    waiting: 0,
    tokens: 0,
    capacity: 0,
    errorRate: 0,
  },
};

/** Thousandths are finer than any reading is, and keep the file small. */

/**
 * What happened between two readings.
 * @param current must be later than `previous`
 * @throws RangeError when it is not: no rate can be told from it
 */
export function sampleOf(previous: Reading, current: Reading): Sample {
  const seconds = (current.atMs - previous.atMs) / 1000;
  if (!(seconds > 0)) {
    throw new RangeError(`a reading at ${current.atMs} ms cannot follow one at ${previous.atMs} ms`);
  }
  const rate = (now: number, before: number): number => rounded((now - before) / seconds);
  // A hop may be called "constructor", which every plain object knows.
  const known = new Map(Object.entries(previous.tiers));
  const tiers: Record<string, TierRate> = {};
  for (const [name, { arrivals, attempts }] of Object.entries(current.tiers)) {
    const before = known.get(name) ?? { arrivals: 0, attempts: 0 };
    tiers[name] = { arrivals: rate(arrivals, before.arrivals), attempts: rate(attempts, before.attempts) };
  }
  const { backend: now } = current;
  const { backend: before } = previous;
  return {
    tS: rounded(current.atMs / 1000),
    offeredRps: rate(current.due, previous.due),
    tiers,
    backend: {
      arrivals: rate(now.arrivals, before.arrivals),
      ok: rate(now.ok, before.ok),
      failed: rate(now.failed, before.failed),
      shed: rate(now.shed, before.shed),
      wasted: rate(now.wasted, before.wasted),
      waiting: now.waiting,
      tokens: rounded(now.tokens),
      capacity: now.capacity,
      errorRate: now.errorRate,
    },
  };
}

/** A rate over less than this says little: such a sample is taken together with the one before it. */
const SHORTEST_S = 0.5;

/** Backend calls per client request, sample by sample while requests are due. */
export class AmplificationOverTime {
  private readonly ratios: number[] = [];
  private beganS = 0;
  /** Of the last sample. */
  private calls = 0;
  private requests = 0;

  get values(): readonly number[] {
    return this.ratios;
  }

  add({ tS, offeredRps, backend }: Sample): void {
    const lengthS = tS - this.beganS;
    this.beganS = tS;
    const joins = lengthS < SHORTEST_S && this.requests > 0;
    if (joins) this.ratios.pop();
    this.calls = (joins ? this.calls : 0) + backend.arrivals * lengthS;
    this.requests = (joins ? this.requests : 0) + offeredRps * lengthS;
    if (this.requests > 0) this.ratios.push(this.calls / this.requests);
  }
}
