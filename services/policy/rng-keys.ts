/**
 * The key of every stream of random numbers, in one place. The same key and seed give the same numbers, over HTTP and
 * in virtual time. What must be independent has a key of its own.
 */
import type { Rng } from "./clock.ts";
import { seededRng } from "./rng.ts";

/** When requests are due. */
export const ARRIVALS = "arrivals";
/** Which requests write: draw n is that of request n. */
export const WRITES = "write";

/** The trace id of an order. */
export const traceKey = (id: string): string => `trace/${id}`;

/** What the backend's faults draw from for each visit of an order: draw n is that of its n-th visit. */
export const FAULT_KEYS = {
  error: (id: string): string => id,
  loss: (id: string): string => `loss/${id}`,
  /** @param replica 1 to n, each with a stream of its own; 0: one stream for the order, wherever it goes */
  straggler: (id: string, replica: number): string => (replica === 0 ? `slow/${id}` : `slow${replica}/${id}`),
} as const;

/**
 * The jitter of one request at one hop. Two attempts of the tier above are two requests here, and draw apart.
 * @param hop the tier's name
 */
export function jitterOf(seed: number, hop: string, request: { readonly id: string; readonly attempt: number }): Rng {
  return seededRng(seed, `${hop}/${request.id}#${request.attempt}`);
}

/** What resamples runs for an interval. @param what the figure that the interval is of */
export const bootstrapKey = (what: string): string => `bootstrap/${what}`;
/** What reassigns runs between the two worlds. @param what the figure that is compared */
export const permutationKey = (what: string): string => `twin/${what}`;
/** Whether a call over an instance's link fails, in `bin/lab scale`: draw n is that of attempt n. */
export const linkKey = (id: string): string => `link/${id}`;
/** When a client of `bin/lab scale` begins. */
export const clientKey = (client: number): string => `client/${client}`;
/** How long the leaf of a fan-out takes. */
export const leafKey = (id: string, attempt: number): string => `${id}#${attempt}`;
