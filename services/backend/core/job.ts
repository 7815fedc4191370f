/** One call inside the backend. */
import type { BackendCounts } from "../../contract/backend-counts.ts";
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
  /** What it is counted in: the counts of the run that it belongs to. */
  readonly tally: BackendCounts;
  /** Its hold on the other copy, where it is one of two tied ones. */
  tie: Tie | undefined;
}

/** Takes the place of `done` once the caller has gone, so that a long queue does not hold on to closed connections. */
export const discard = (): void => {};

/** A call that has arrived at `joinedAt`. */
export function jobOf(
  request: BackendRequest,
  done: (reply: BackendReply) => void,
  { joinedAt, claimed, tally }: Pick<Job, "joinedAt" | "claimed" | "tally">,
): Job {
  return {
    request,
    done,
    expiresAt: request.remainingMs === undefined ? Infinity : joinedAt + request.remainingMs,
    state: "waiting",
    callerLeft: false,
    joinedAt,
    attempt: request.attempt ?? 1,
    claimed,
    tally,
    tie: undefined,
  };
}
