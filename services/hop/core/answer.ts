/** What a hop answers where an upstream's answer cannot simply be handed on, or there is none. */
import { forbidsRetryAbove } from "../../policy/retry-decision.ts";
import type { Reply, StopReason } from "../../policy/outcome.ts";
import type { HopReply } from "../../contract/request.ts";

export const OUT_OF_TIME: Reply = { outcome: "deadline", status: 504 };
export const TOO_SLOW: Reply = { outcome: "timeout", status: 504 };
/** Not admitted: nothing was tried. */
export const SHED: Reply = { outcome: "overloaded", status: 503 };
export const CALLER_LEFT: Reply = { outcome: "cancelled", status: 499 };

/** What a caller is told whose request an open breaker refuses before anything was sent. */
export function failFast(retryAfterMs: number | undefined): Reply {
  return { outcome: "overloaded", status: 503, retryAfterMs };
}

/**
 * The answer that a caller gets when the last attempt ended with `last` and `stop` was the reason to leave it there: what
 * the callee said last, whatever the reason. A caller whose request had no time for another attempt is told of the error
 * that there was, not of a deadline that has not passed.
 */
export function answerCaller(last: Reply, stop: StopReason, attempts: number): HopReply {
  const doNotRetry = last.doNotRetry === true || forbidsRetryAbove(stop);
  const { outcome, retryAfterMs, sent, body } = last;
  const status = last.status || 502;
  return { outcome, status, retryAfterMs, doNotRetry, sent, body, stop, attempts };
}
