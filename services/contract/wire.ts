/**
 * What of an answer crosses the wire, and how its receiver reads it. HTTP and the virtual transport
 * share this, so that an answer means the same in both worlds.
 *
 * A hop above sees a status and three hints, not the callee's outcome: a "timeout" below arrives as 504 and counts as
 * "failed". The generator, which is a client of the lab, also reads what the answer says of itself.
 */
import { outcomeOfStatus, type Outcome, type Reply, type StopReason } from "../policy/outcome.ts";
import type { HopReply } from "./request.ts";

/** An answer on its way up. */
export interface WireReply {
  readonly status: number;
  /** Whole seconds, as Retry-After carries them; 0 or more. */
  readonly retryAfterS?: number | undefined;
  /** `x-retry-ok: 0` was sent. */
  readonly doNotRetry: boolean;
  /** From problem+json: how the callee itself calls what happened. */
  readonly outcome?: Outcome | undefined;
  readonly stop?: StopReason | undefined;
  /** `x-lab-attempts`. */
  readonly attempts?: number | undefined;
  readonly body?: string | undefined;
}

/** A hop's answer as it goes out. Retry-After is rounded up: nobody may come back too early. */
export function wireReplyOf(reply: HopReply): WireReply {
  const { status, outcome, retryAfterMs, stop, attempts, body } = reply;
  const retryAfterS = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  return { status, retryAfterS, doNotRetry: reply.doNotRetry === true, outcome, stop, attempts, body };
}

/** An answer as a hop above understands it. */
export function replyOfWire(wire: WireReply): Reply {
  const { status, retryAfterS, doNotRetry, stop, body } = wire;
  const retryAfterMs = retryAfterS === undefined ? undefined : retryAfterS * 1000;
  // 0: the connection broke before an answer came.
  return {
    outcome: status === 0 ? "failed" : outcomeOfStatus(status),
    status,
    retryAfterMs,
    doNotRetry,
    stop,
    body,
  };
}
