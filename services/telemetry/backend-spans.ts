/** A backend's spans: one for each call that arrives. */
import type { Tracer } from "@opentelemetry/api";
import type { BackendReply } from "../backend/core/request.ts";
import type { HopRequest } from "../contract/request.ts";
import type { Cancel } from "../policy/clock.ts";
import { endSpan, serverError, serverSpan, traceparentOfSpan, type SpanEnding } from "./spans.ts";

/** `done` is called once, unless the caller leaves first; the returned `Cancel` says that it left. */
export type ServeTraced = (request: HopRequest, done: (reply: BackendReply) => void) => Cancel;

function endingOf({ outcome, status }: BackendReply): SpanEnding {
  return outcome === "lost" ? { outcome, error: outcome } : { outcome, status, error: serverError(status) };
}

/**
 * `serve` with a span for each call. It ends with the caller's leaving, also where the backend goes on with it:
 * what nobody hears of has no answer to end with.
 */
export function tracedBackend(tracer: Tracer, tier: string, serve: ServeTraced): ServeTraced {
  return (request, done) => {
    const span = serverSpan(tracer, tier, request);
    const leave = serve({ ...request, traceparent: traceparentOfSpan(span) }, (reply) => {
      endSpan(span, endingOf(reply));
      done(reply);
    });
    return () => {
      endSpan(span, { outcome: "left" });
      leave();
    };
  };
}
