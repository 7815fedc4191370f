/** One call inside the backend. */
import type { Queued } from "../../policy/queue/order.ts";
import type { Tie } from "./ties.ts";
import type { BackendReply, BackendRequest } from "./request.ts";

export interface Job extends Queued {
  readonly request: BackendRequest;
  done: (reply: BackendReply) => void;
  readonly expiresAt: number;
  state: "waiting" | "serving" | "over";
  callerLeft: boolean;
  /** The key whose work this call does; undefined where there is none to remember. */
  readonly claimed: string | undefined;
  /** Its hold on the other copy, where it is one of two tied ones. */
  tie: Tie | undefined;
}

/** Takes the place of `done` once the caller has gone, so that a long queue does not hold on to closed connections. */
export const discard = (): void => {};

/** A call that has arrived at `now`; `claimed` is the key whose work it does. */
export function jobOf(
  request: BackendRequest,
  done: (reply: BackendReply) => void,
  now: number,
  claimed: string | undefined,
): Job {
  return {
    request,
    done,
    expiresAt: request.remainingMs === undefined ? Infinity : now + request.remainingMs,
    state: "waiting",
    callerLeft: false,
    joinedAt: now,
    attempt: request.attempt ?? 1,
    claimed,
    tie: undefined,
  };
}
