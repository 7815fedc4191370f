/**
 * Looking on at a chain in virtual time, attempt by attempt.
 *
 * Requests carry in `traceparent` which attempt they belong to, as over HTTP each attempt has a span id of its own. Looking
 * on draws no random number and takes no time, so a run that is watched is the same run.
 */
import type { HopRequest, HopWatch } from "../../../../services/contract/request.ts";

export interface ChainWatch {
  /** What the hop `tier` reports. */
  hop(tier: string): HopWatch;
  backendArrived(request: HopRequest): void;
  backendAnswered(request: HopRequest, status: number): void;
  /** The caller has gone before there was an answer. */
  backendLeft(request: HopRequest): void;
}

/** Makes the watch of one run. @param now milliseconds from the start of its schedule */
export type WatchRun = (now: () => number) => ChainWatch;

/** What the requests below `sent`, an attempt of the hop `tier`, carry in `traceparent`. */
export function attemptKey(tier: string, { traceparent, attempt }: HopRequest): string {
  return `${traceparent}/${tier}#${attempt}`;
}
