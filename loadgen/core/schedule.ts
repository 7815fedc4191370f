/**
 * When each client request is due: the inverse of the cumulative rate.
 *
 *     Λ(t) = ∫₀ᵗ rate       a request is due at each t with Λ(t) = x₀, x₁, …
 *     constant              xₙ = n                          (a grid without drift, whatever the rate does)
 *     poisson               xₙ = xₙ₋₁ + Exp(1)              (independent requests; the same mean)
 *
 * The schedule is made before anything is sent and knows nothing of answers: that is what "open loop" means. Steps and
 * ramps of the rate are integrated exactly, piece by piece, so nothing is lost at a change.
 */
import { exponential, seededRng, uniform } from "../../services/policy/rng.ts";
import type { RateStep } from "../../services/settings/rate-profile.ts";
import { ARRIVALS, WRITES } from "../../services/policy/rng-keys.ts";

/** One order of the schedule. */
export interface Arrival {
  /** Position in the schedule, 0, 1, … */
  readonly n: number;
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly idempotencyKey?: string | undefined;
  /** Milliseconds from the start of the schedule; never falls from one arrival to the next. */
  readonly intendedMs: number;
}

export interface ScheduleConfig {
  /** Requests per second until the profile's first step; 0 or more. */
  readonly rate: number;
  /** Length of the schedule in seconds; more than 0. */
  readonly durationS: number;
  readonly arrivals: "constant" | "poisson";
  readonly rateProfile: readonly RateStep[];
  readonly seed: number;
  /** Share of writes, 0 to 1. */
  readonly writeShare: number;
  /** Whether writes carry an idempotency key. */
  readonly idempotencyKeys: boolean;
}

/** A time in which the rate runs in a straight line from `from` to `to`, requests per second. */
interface Piece {
  readonly beginS: number;
  readonly endS: number;
  readonly from: number;
  readonly to: number;
}

type Plan = Pick<ScheduleConfig, "rate" | "durationS" | "rateProfile">;

/** The pieces from 0 to the end of the schedule, in order, without gaps. */
function piecesOf({ rate, durationS, rateProfile }: Plan): Piece[] {
  const pieces: Piece[] = [];
  let [beginS, from] = [0, rate];
  for (const { atS, rate: to, ramp } of [...rateProfile, { atS: Infinity, rate: 0, ramp: false }]) {
    if (beginS >= durationS) break;
    const endS = Math.min(atS, durationS);
    const reached = ramp && atS > beginS ? from + ((to - from) * (endS - beginS)) / (atS - beginS) : from;
    if (endS > beginS) pieces.push({ beginS, endS, from, to: reached });
    [beginS, from] = [atS, to];
  }
  return pieces;
}

const areaOf = ({ beginS, endS, from, to }: Piece): number => ((from + to) / 2) * (endS - beginS);

/** Requests that the plan offers in all: Λ at its end. */
export function offered(plan: Plan): number {
  return piecesOf(plan).reduce((sum, piece) => sum + areaOf(piece), 0);
}

/** Seconds at which `area` requests of the piece have become due. The stable root of from·s + slope·s²/2 = area. */
function inverse({ beginS, endS, from, to }: Piece, area: number): number {
  if (area <= 0) return beginS;
  const slope = (to - from) / (endS - beginS);
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * area));
  return Math.min(endS, beginS + (2 * area) / (from + root));
}

/** x₀, x₁, …: what Λ is at each arrival. */
function* levels({ arrivals, seed }: ScheduleConfig): Generator<number> {
  const rng = seededRng(seed, ARRIVALS);
  for (let n = 0, x = 0; ; n += 1) {
    if (arrivals === "poisson") x += exponential(rng);
    yield arrivals === "poisson" ? x : n;
  }
}

/** What n · (1/rate) loses in binary fractions must neither add a request at the very end nor drop one at a change. */
const ROUNDING = 1e-9;

/** Times in seconds, rising, all before the end of the schedule. */
function* timesS(config: ScheduleConfig): Generator<number> {
  const pieces = piecesOf(config);
  const source = levels(config);
  let x = source.next().value as number;
  let passed = 0;
  for (const piece of pieces) {
    const area = areaOf(piece);
    while (x - passed < area - ROUNDING) {
      yield inverse(piece, x - passed);
      x = source.next().value as number;
    }
    passed += area;
  }
}

/** What is due, in order. The same configuration gives the same arrivals; each call begins anew. */
export function* schedule(config: ScheduleConfig): Generator<Arrival> {
  const { seed, writeShare, idempotencyKeys } = config;
  let n = 0;
  for (const timeS of timesS(config)) {
    const id = `s${seed}-${n}`;
    const writes = writeShare > 0 && uniform(seed, WRITES, n) < writeShare;
    const arrival: Arrival = { n, id, method: writes ? "POST" : "GET", intendedMs: timeS * 1000 };
    yield writes && idempotencyKeys ? { ...arrival, idempotencyKey: `key-${id}` } : arrival;
    n += 1;
  }
}
