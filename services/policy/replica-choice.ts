/**
 * Which replica of the callee gets an attempt.
 *
 *     first attempt     in turn: 1, 2, …, n, 1, …
 *     further ones      the next replica after the last one asked that has not shed lately, else simply the next
 *
 * "Overloaded" is said by one replica. A caller who takes it for the whole callee gives up on an answer that a healthy
 * replica would have given (envoy#1573); one who ignores it walks the storm from replica to replica (envoy#10706). So a
 * replica that shed is remembered as hot for a second, or for as long as its Retry-After asked, and another attempt may
 * go elsewhere at once only while a replica is left that is not.
 *
 * The turn moves with first attempts only: an order meets the same first replica whatever the policy does after it.
 */
import { isOverload, type Reply } from "./outcome.ts";

/** How long a replica that shed counts as hot, in milliseconds, unless it asked for longer. */
export const HOT_MS = 1000;
/** The longest that a replica is believed, in milliseconds. */
const LONGEST_HOT_MS = 300_000;

export class Replicas {
  private readonly hotUntil: number[];
  private turn = 0;

  /** @param count replicas of the callee, 2 or more */
  constructor(count: number) {
    this.hotUntil = Array.from({ length: count }, () => -Infinity);
  }

  /** The replica, 1 to n, for the first attempt of a request. */
  first(): number {
    this.turn = (this.turn % this.hotUntil.length) + 1;
    return this.turn;
  }

  /** The replica for a further attempt; never `last`. */
  after(last: number, now: number): number {
    return this.cool(last, now) ?? (last % this.hotUntil.length) + 1;
  }

  /** Whether a replica other than `last` has not shed lately. */
  hasCool(last: number, now: number): boolean {
    return this.cool(last, now) !== undefined;
  }

  /** A replica has answered `reply` at `now`. */
  heard(replica: number, reply: Reply, now: number): void {
    if (!isOverload(reply)) return;
    const hotMs = Math.min(LONGEST_HOT_MS, Math.max(HOT_MS, reply.retryAfterMs ?? 0));
    this.hotUntil[replica - 1] = now + hotMs;
  }

  private cool(last: number, now: number): number | undefined {
    const count = this.hotUntil.length;
    for (let step = 0; step < count - 1; step += 1) {
      const replica = ((last + step) % count) + 1;
      if (now >= (this.hotUntil[replica - 1] ?? 0)) return replica;
    }
    return undefined;
  }
}
