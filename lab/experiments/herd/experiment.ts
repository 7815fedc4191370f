/**
 * A herd: many clients are cut off at one moment and ask again, each by its own hop, while the backend is down.
 *
 * Their failures coincide, so a backoff without jitter keeps them together: the backend meets all of them at once, again
 * and again. Jitter draws them apart, and it does so from the first retry on. That is what jitter is for; under lasting
 * overload it does nothing (`lab ablate`).
 *
 *     peak over mean = the most calls in any 100 ms / (calls · 100 ms / outage), all while the outage lasts
 *
 * The mean is taken over the outage, when everyone is waiting: over all of the return, a few late ones of a long backoff
 * would stretch the time and make a flat ramp look steep.
 *
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
import { PLAIN_BACKEND, type BackendConfig } from "../../../services/backend/core/config.ts";
import { createBackend } from "../../../services/backend/core/model.ts";
import { createHop } from "../../../services/hop/core/hop.ts";
import { replyOfWire } from "../../../services/contract/wire.ts";
import type { HopRequest, Send } from "../../../services/contract/request.ts";
import { BACKOFF_KINDS, type BackoffKind } from "../../../services/policy/backoff.ts";
import { seededRng } from "../../../services/policy/rng.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import { estimates, type Estimate } from "../../runs/statistics.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";

export const HERD = {
  clients: 1000,
  /** Milliseconds from the cut until the backend answers again. */
  outageMs: 2000,
  baseMs: 500,
  capMs: 8000,
  /** Far more than any client needs: nobody gives up within what is measured. */
  maxAttempts: 50,
  /** Milliseconds of the window that the peak is looked for in. */
  windowMs: 100,
} as const;

export const HERD_KINDS = BACKOFF_KINDS.filter((kind) => kind !== "none");

/** It can take all of them at once: what is looked at is how they come, not what becomes of them. */
const BACKEND: BackendConfig = { ...PLAIN_BACKEND, errorRate: 1 };

const policyOf = (kind: BackoffKind): RetryPolicy => ({
  ...PLAIN_POLICY,
  maxAttempts: HERD.maxAttempts,
  backoff: { kind, baseMs: HERD.baseMs, capMs: HERD.capMs },
});

export interface HerdRun {
  /** Retries that arrived, in milliseconds since the cut, in order. */
  readonly arrivalsMs: readonly number[];
  /** When the last client had its answer, in milliseconds since the cut. */
  readonly lastServedMs: number;
}

const requestOf = (client: number): HopRequest => ({
  id: `client-${client}`,
  method: "GET",
  path: `/orders/client-${client}`,
  traceparent: "",
  attempt: 1,
});

/** One herd under one kind of backoff. @param clients 1 or more */
export function runHerd(kind: BackoffKind, seed: number, clients: number = HERD.clients): HerdRun {
  const clock = new VirtualClock();
  const backend = createBackend(BACKEND, clock, seed);
  backend.begin(seed);
  const arrivalsMs: number[] = [];
  const send: Send = (request, done) =>
    clock.after(ONE_WAY_MS, () => {
      if (request.attempt > 1) arrivalsMs.push(clock.now());
      backend.serve(request, ({ status }) =>
        clock.after(ONE_WAY_MS, () => done(replyOfWire({ status, doNotRetry: false }))),
      );
    });
  let lastServedMs = 0;
  for (let client = 0; client < clients; client += 1) {
    // A hop for each: clients share neither budget nor random numbers.
    const rngFor = ({ id }: HopRequest) => seededRng(seed, id);
    createHop({ policy: policyOf(kind), clock, send, rngFor }).handle(requestOf(client), ({ outcome }) => {
      if (outcome === "ok") lastServedMs = clock.now();
    });
  }
  clock.after(HERD.outageMs, () => backend.change({ errorRate: 0 }));
  clock.runUntilIdle();
  return { arrivalsMs, lastServedMs };
}

/** The most of `times` that lie within any `windowMs`, its end left out. @param times in order */
export function mostWithin(times: readonly number[], windowMs: number): number {
  let most = 0;
  let oldest = 0;
  times.forEach((time, newest) => {
    while (time - (times[oldest] ?? time) >= windowMs) oldest += 1;
    most = Math.max(most, newest - oldest + 1);
  });
  return most;
}

export interface HerdShape {
  /** The most retries in any 100 ms of the outage. */
  readonly peak: number;
  /** null where no retry came during the outage. */
  readonly peakOverMean: number | null;
  /** The most retries in any 100 ms once the backend answers again: what meets a dependency that has just restarted. */
  readonly peakAfter: number;
  /** Retries of all clients together. */
  readonly retries: number;
  readonly lastServedMs: number;
}

/** The shape of one herd's return. */
export function shapeOf({ arrivalsMs, lastServedMs }: HerdRun): HerdShape {
  const { windowMs, outageMs } = HERD;
  const during = arrivalsMs.filter((atMs) => atMs < outageMs);
  const after = arrivalsMs.filter((atMs) => atMs >= outageMs);
  const peak = mostWithin(during, windowMs);
  const mean = (during.length * windowMs) / outageMs;
  return {
    peak,
    peakOverMean: ratioOf(peak, mean),
    peakAfter: mostWithin(after, windowMs),
    retries: arrivalsMs.length,
    lastServedMs,
  };
}

export type HerdResult = { readonly backoff: BackoffKind } & Readonly<Record<keyof HerdShape, Estimate | null>>;

const SHAPE: readonly (keyof HerdShape)[] = ["peak", "peakOverMean", "peakAfter", "retries", "lastServedMs"];

/** @param seeds one or more @param clients 1 or more */
export function herdResults(seeds: readonly number[], clients: number = HERD.clients): HerdResult[] {
  return HERD_KINDS.map((backoff) => {
    const shapes = seeds.map((seed) => shapeOf(runHerd(backoff, seed, clients)));
    return { backoff, ...estimates(SHAPE, (name) => shapes.map((shape) => shape[name]), backoff) };
  });
}
