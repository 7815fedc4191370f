/**
 * A herd: many clients are cut off at one moment and ask again, each by its own hop, while the backend is down.
 *
 * Their failures coincide, so a backoff without jitter keeps them together: the backend meets all of them at once, again
 * and again. Jitter draws them apart, and it does so from the first retry on. That is what jitter is for; under lasting
 * overload it does nothing (`bin/lab ablate`).
 *
 *     peak over mean = the most calls in any 100 ms / (calls · 100 ms / outage), all while the outage lasts
 *
 * The mean is taken over the outage, when everyone is waiting: over all of the return, a few late ones of a long backoff
 * would stretch the time and make a flat ramp look steep.
 *
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
import type { BackendConfig } from "../../../services/backend/core/config.ts";
import { createBackend } from "../../../services/backend/core/model.ts";
import { createHop } from "../../../services/hop/core/hop.ts";
import { replyOfWire } from "../../../services/contract/wire.ts";
import type { HopRequest, Send } from "../../../services/contract/request.ts";
import { seededRng } from "../../../services/policy/rng.ts";
import type { RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import { estimates, type Estimate } from "../../runs/statistics.ts";
/** Milliseconds of the window that the peak is looked for in. */
export const WINDOW_MS = 100;

/** What a herd is made of. */
export interface Herd {
  readonly name: string;
  readonly seed: number;
  /** 1 or more. */
  readonly clients: number;
  /** Milliseconds from the cut until the backend answers again. */
  readonly outageMs: number;
  readonly policy: RetryPolicy;
  readonly backend: BackendConfig;
  readonly oneWayMs: number;
}

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

/** One herd under one policy. */
export function runHerd({
  seed,
  clients,
  policy,
  backend: config,
  oneWayMs,
}: Omit<Herd, "name" | "outageMs">): HerdRun {
  const clock = new VirtualClock();
  const backend = createBackend(config, clock, seed);
  backend.begin(seed);
  const arrivalsMs: number[] = [];
  const send: Send = (request, done) =>
    clock.after(oneWayMs, () => {
      if (request.attempt > 1) arrivalsMs.push(clock.now());
      backend.serve(request, ({ status, retryAfterS }) =>
        clock.after(oneWayMs, () => done(replyOfWire({ status, retryAfterS, doNotRetry: false }))),
      );
    });
  let lastServedMs = 0;
  for (let client = 0; client < clients; client += 1) {
    // A hop for each: clients share neither budget nor random numbers.
    const rngFor = ({ id }: HopRequest) => seededRng(seed, id);
    createHop({ policy, clock, send, rngFor }).handle(requestOf(client), ({ outcome }) => {
      if (outcome === "ok") lastServedMs = clock.now();
    });
  }
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
export function shapeOf({ arrivalsMs, lastServedMs }: HerdRun, outageMs: number): HerdShape {
  const during = arrivalsMs.filter((atMs) => atMs < outageMs);
  const after = arrivalsMs.filter((atMs) => atMs >= outageMs);
  const peak = mostWithin(during, WINDOW_MS);
  const mean = (during.length * WINDOW_MS) / outageMs;
  return {
    peak,
    peakOverMean: ratioOf(peak, mean),
    peakAfter: mostWithin(after, WINDOW_MS),
    retries: arrivalsMs.length,
    lastServedMs,
  };
}

export type HerdResult = { readonly backoff: string } & Readonly<Record<keyof HerdShape, Estimate | null>>;

const SHAPE: readonly (keyof HerdShape)[] = ["peak", "peakOverMean", "peakAfter", "retries", "lastServedMs"];

/** One result for each name. @param herds one for each seed of each name */
export function herdResults(herds: readonly Herd[]): HerdResult[] {
  return [...new Set(herds.map(({ name }) => name))].map((backoff) => {
    const own = herds.filter(({ name }) => name === backoff);
    const shapes = own.map((herd) => shapeOf(runHerd(herd), herd.outageMs));
    return { backoff, ...estimates(SHAPE, (name) => shapes.map((shape) => shape[name]), backoff) };
  });
}
