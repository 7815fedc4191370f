/**
 * The third edge of a phase diagram: how long a dip of the capacity must last so that the chain is still down afterwards.
 *
 * Calls as a fluid. A(t) calls have joined the backend's queue by t, S(t) of them have left it: S' is the capacity while
 * any wait. First in, first out, so a call that joined at s times out if S(s + wait) < A(s), and its next attempt joins
 * `again` later:
 *
 *     f0(t) = load                                        first attempts, a second
 *     fk(t) = f(k−1)(t − wait − again) · share(k)         where those have timed out, else 0
 *     A'    = f0 + f1 + …                                 beyond a full queue: turned away, and not tried again
 *
 * with share(k) = 1 up to the calls that a request costs where all of them fail (equilibrium.ts), and the rest of that
 * number for the last one: 9 calls are eight more, 1.44 are 44 % of one more.
 *
 * In a dip of L the queue grows; with the capacity back, what is in it is served within the wait or not. If not, each
 * call that is served is one that nobody waits for, and the attempts that come instead keep the queue long. The edge is
 * the smallest L from which calls still time out after the patience.
 *
 * Left out: chance, latency by jitter, tokens that a budget had saved up, deadlines, and the lag between the hops.
 */

export interface Dip {
  /** Client requests a second. */
  readonly load: number;
  /** Calls a second, outside the dip and in it. */
  readonly capacity: number;
  readonly dipTo: number;
  /** Milliseconds in the queue after which a call's answer comes too late. */
  readonly waitMs: number;
  /** Milliseconds from a timeout to the next attempt. */
  readonly againMs: number;
  /** Calls for each request where all of them fail, 1 or more. */
  readonly calls: number;
  /** Calls that may wait; Infinity for no limit. */
  readonly queueLimit: number;
  /** Seconds after the dip at which it is looked whether calls time out. */
  readonly patienceS: number;
}

const STEP_S = 0.005;

/** Whether calls still time out `patienceS` after a dip of `lengthS`. */
export function staysDown(dip: Dip, lengthS: number): boolean {
  const wait = Math.max(1, Math.round(dip.waitMs / 1000 / STEP_S));
  const again = wait + Math.max(1, Math.round(dip.againMs / 1000 / STEP_S));
  const kinds = Math.ceil(dip.calls);
  const flows = Array.from({ length: kinds }, () => new Float64Array(again));
  const joinedAt = new Float64Array(again);
  const lateAt = new Uint8Array(again);
  let [joined, served] = [0, 0];
  const end = Math.round((lengthS + dip.patienceS) / STEP_S);
  for (let step = 0; step < end; step += 1) {
    const slot = step % again;
    const due = (step - wait + again) % again;
    // What joined `wait` ago is late now if it has not been served yet.
    lateAt[due] = step >= wait && served < (joinedAt[due] ?? 0) - 1e-9 ? 1 : 0;
    const hadFailed = step >= again && lateAt[slot] === 1;
    let arriving = 0;
    for (let kind = kinds - 1; kind >= 0; kind -= 1) {
      const before = kind === 0 ? dip.load : hadFailed ? (flows[kind - 1]?.[slot] ?? 0) : 0;
      const flow = before * Math.min(1, dip.calls - kind);
      (flows[kind] as Float64Array)[slot] = flow;
      arriving += flow;
    }
    const room = Math.max(0, dip.queueLimit - (joined - served));
    joined += Math.min(room, arriving * STEP_S);
    joinedAt[slot] = joined;
    const rate = step * STEP_S < lengthS ? dip.dipTo : dip.capacity;
    served = Math.min(joined, served + rate * STEP_S);
  }
  return lateAt[(end - wait - 1 + 2 * again) % again] === 1;
}

/** The shortest dip, in seconds, after which it stays down; undefined where none up to `mostS` does that. */
export function shortestFatalDip(dip: Dip, mostS: number): number | undefined {
  if (!staysDown(dip, mostS)) return undefined;
  let [low, high] = [0, mostS];
  while (high - low > STEP_S) {
    const middle = (low + high) / 2;
    if (staysDown(dip, middle)) high = middle;
    else low = middle;
  }
  return high;
}
