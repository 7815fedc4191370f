/**
 * By when the whole request must be answered.
 *
 * A timeout belongs to one attempt, a deadline to the request: whatever is done after it, nobody reads. It is absolute
 * inside a process and travels as the milliseconds that remain, since two hosts' clocks cannot be compared. Each hop
 * passes on less than it was given, so work stops everywhere at about the same time.
 *
 * A hop without a deadline of its own still honours and passes on the one that it was given: otherwise propagation
 * would end at the first hop that nobody configured.
 */

/**
 * The absolute deadline of a request that arrives at `now`; Infinity where neither side sets one.
 * @param ownMs the hop's own limit in milliseconds from arrival, Infinity for none
 * @param incomingMs what the caller said remains, undefined when it said nothing; may be zero or less
 */
export function deadlineAt(now: number, ownMs: number, incomingMs: number | undefined): number {
  return now + Math.min(ownMs, incomingMs ?? Infinity);
}

/** How long one attempt may take: min(attempt timeout, what remains). Infinity where nothing limits it. */
export function attemptLimitMs(now: number, deadline: number, attemptTimeoutMs: number): number {
  return Math.min(attemptTimeoutMs, deadline - now);
}

/**
 * What to tell the callee that remains: a whole number strictly below the attempt's limit, so that the header falls at
 * every hop; undefined where the request has no deadline (a bare attempt timeout stays a secret of this hop).
 */
export function remainingForCallee(limitMs: number, deadline: number): number | undefined {
  return deadline === Infinity ? undefined : Math.max(0, Math.ceil(limitMs) - 1);
}
