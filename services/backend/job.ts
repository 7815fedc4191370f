/** One call inside the backend. */
import type { Waiting } from "./line.ts";
import type { BackendReply, BackendRequest } from "./request.ts";

export interface Job extends Waiting {
  readonly request: BackendRequest;
  done: (reply: BackendReply) => void;
  readonly expiresAt: number;
  state: "waiting" | "serving" | "over";
  callerLeft: boolean;
  /** The key whose work this call does; undefined where there is none to remember. */
  readonly claimed: string | undefined;
}

/** Stands in for a caller who has gone, so that a long queue does not hold on to connections that nobody uses. */
export const nobody = (): void => {};
