/**
 * What of an answer crosses the wire, and how the caller reads it. HTTP (`platform`) and the virtual transport (`lab/virtual`) share this, so
 * that a request means the same in both worlds.
 *
 * A caller sees a status and three hints, not the callee's outcome: a hop's "timeout" arrives as 504 and counts as
 * "failed" above it.
 */
import { outcomeOfStatus, type Reply, type StopReason } from "../policy/outcome.ts";
import type { HopReply } from "./request.ts";

/** An answer on its way up. */
export interface WireReply {
  readonly status: number;
  /** Whole seconds, as Retry-After carries them; 0 or more. */
  readonly retryAfterS?: number | undefined;
  /** `x-retry-ok: 0` was sent. */
  readonly doNotRetry: boolean;
  readonly stop?: StopReason | undefined;
  readonly body?: string | undefined;
}

/** A hop's answer as it goes out. Retry-After is rounded up: nobody may come back too early. */
export function wireReplyOf(reply: HopReply): WireReply {
  const { status, retryAfterMs, stop, body } = reply;
  return {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterS: Math.ceil(retryAfterMs / 1000) }),
    doNotRetry: reply.doNotRetry === true,
    stop,
    body,
  };
}

/** An answer as its receiver understands it. */
export function replyOfWire(wire: WireReply): Reply {
  const { status, retryAfterS, doNotRetry, stop, body } = wire;
  return {
    outcome: outcomeOfStatus(status),
    status,
    ...(retryAfterS === undefined ? {} : { retryAfterMs: retryAfterS * 1000 }),
    ...(doNotRetry ? { doNotRetry } : {}),
    ...(stop === undefined ? {} : { stop }),
    ...(body === undefined ? {} : { body }),
  };
}
