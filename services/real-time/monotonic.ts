/** A clock that all threads of the process share: `performance.now` starts afresh in each of them. */

/** Milliseconds since an arbitrary start; never goes back. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
