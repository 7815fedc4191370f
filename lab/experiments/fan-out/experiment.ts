/**
 * A read that needs many leaves: how rare slowness of one becomes the rule for all, and what a second copy does about it.
 *
 *     P(request is slow) = 1 − (1 − p)^leaves          1 % slow leaves, 100 of them: 63 %
 *
 * Each leaf is one call through the lab's own hop, with its hedging. A request has its answer with that of its last leaf.
 *
 *     leaf time:  with probability 1 − s   U(0, fastMs)
 *                 else                     slowFromMs · u^(−1/α), a Pareto tail that begins at slowFromMs
 *
 * The Tail at Scale tells of a read of 1,000 keys from 100 servers: a second copy after 10 ms cut p99.9 from 1,800 ms to
 * 74 ms for 2 % more requests. Two of these numbers fix the tail: 2 % of the leaves last longer than 10 ms (so s = 0.02,
 * slowFromMs = 10), and one request in a thousand contains a leaf of 1,800 ms, so
 *
 *     0.02 · (10 / 1800)^α = 10^−6,  α = ln 20,000 / ln 180 = 1.91
 *
 * The third is then a prediction of the model: 0.02² · (100 / (x · (x − 10)))^α = 10^−6 gives x = 53 ms. It has the paper's
 * shape (a cut of some thirty times); theirs is longer because two copies of one read have some of their slowness in common.
 *
 * Source: J. Dean, L. A. Barroso, "The Tail at Scale", CACM 56(2), 2013.
 */
import { createHop, type Hop } from "../../../services/hop/core/hop.ts";
import type { Send } from "../../../services/contract/request.ts";
import type { Clock, Rng } from "../../../services/policy/clock.ts";
import type { HedgePolicy } from "../../../services/policy/hedge/hedge.ts";
import { seededRng } from "../../../services/policy/rng.ts";
import type { Reply } from "../../../services/policy/outcome.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { leafKey } from "../../../services/policy/rng-keys.ts";

export interface LeafTimes {
  /** An ordinary leaf takes up to this many milliseconds. */
  readonly fastMs: number;
  /** Share of slow leaves, 0 to 1. */
  readonly slowShare: number;
  /** The least time of a slow leaf, in milliseconds. */
  readonly slowFromMs: number;
  /** Exponent of the tail; Infinity: every slow leaf takes the same. */
  readonly alpha: number;
}

/** See above. */
export const TAIL_AT_SCALE: LeafTimes = {
  fastMs: 10,
  slowShare: 0.02,
  slowFromMs: 10,
  alpha: Math.log(20_000) / Math.log(180),
};

export interface FanOut {
  readonly requests: number;
  /** Leaves of each request, 1 or more. */
  readonly leaves: number;
  readonly times: LeafTimes;
  /** What the first leaf of every request takes, whichever copy, in milliseconds. Absent: it is as the others. */
  readonly stragglerMs?: number;
  /** Absent: no second copies. */
  readonly hedge?: HedgePolicy;
  readonly seed: number;
}

export interface FanOutResult {
  /** Milliseconds until each request had its last leaf. */
  readonly latencies: readonly number[];
  /** Leaf calls for each leaf that was needed. */
  readonly cost: number;
}

const OK: Reply = { outcome: "ok", status: 200 };

function leafMs({ fastMs, slowShare, slowFromMs, alpha }: LeafTimes, rng: Rng): number {
  if (rng() >= slowShare) return rng() * fastMs;
  return slowFromMs * (1 - rng()) ** (-1 / alpha);
}

const policyWith = (hedge: HedgePolicy | undefined): RetryPolicy => ({
  ...PLAIN_POLICY,
  replicas: 2,
  ...(hedge === undefined ? {} : { hedge }),
});

/** Sends the leaves of request `r`, one after the other in the same instant; `done` hears when the last is there. */
function read(hop: Hop, clock: Clock, r: number, leaves: number, done: (latencyMs: number) => void): void {
  const beganAt = clock.now();
  let missing = leaves;
  const arrived = (): void => {
    missing -= 1;
    if (missing === 0) done(clock.now() - beganAt);
  };
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    hop.handle({ id: `${r}/${leaf}`, method: "GET", path: "/", traceparent: "", attempt: 1 }, arrived);
  }
}

/** Runs the requests one after the other: leaves of different requests do not meet. */
export function fanOut({ requests, leaves, times, stragglerMs, hedge, seed }: FanOut): FanOutResult {
  const clock = new VirtualClock();
  let calls = 0;
  // The n-th copy of a leaf takes the same time with and without hedging.
  const send: Send = ({ id, attempt }, done) => {
    calls += 1;
    const isStraggler = stragglerMs !== undefined && id.endsWith("/0");
    return clock.after(isStraggler ? stragglerMs : leafMs(times, seededRng(seed, leafKey(id, attempt))), () =>
      done(OK),
    );
  };
  const rngFor = (): Rng => seededRng(seed, "no jitter");
  const hop = createHop({ policy: policyWith(hedge), clock, send, rngFor });
  const latencies: number[] = [];
  for (let r = 0; r < requests; r += 1) {
    read(hop, clock, r, leaves, (latencyMs) => latencies.push(latencyMs));
    clock.runUntilIdle();
  }
  return { latencies, cost: calls / (requests * leaves) };
}
