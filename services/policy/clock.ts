/**
 * Time and random numbers as arguments.
 *
 * Nothing in `services/policy` reads a clock or draws a random number by itself. What needs them is handed a `Clock`
 * and an `Rng`, so the same code runs over HTTP on the real clock and in a simulation on a virtual one, and a test
 * steps time instead of sleeping.
 */

/** Undoes what it was returned for. Calling it twice, or after the fact, does nothing. */
export type Cancel = () => void;

/** A source of time. Two exist: services/real-time and services/virtual-time. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. Only differences mean anything. */
  now(): number;
  /** Runs `run` once, `delayMs` (0 or more) from now, unless cancelled first. */
  after(delayMs: number, run: () => void): Cancel;
}

/** A source of uniform random numbers in [0, 1). */
export type Rng = () => number;
