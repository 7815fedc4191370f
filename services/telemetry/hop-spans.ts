/** A hop's spans: one for each request, and under it one for each attempt. */
import type { Span, Tracer } from "@opentelemetry/api";
import type { HopRequest, HopWatch } from "../contract/request.ts";
import type { Reply } from "../policy/outcome.ts";
import {
  attemptSpan,
  endSpan,
  nameCallee,
  serverError,
  serverSpan,
  traceparentOfSpan,
  type SpanEnding,
} from "./spans.ts";

/** The spans of a hop. */
export interface HopTracing {
  /** Begins the span of a request that has arrived; the hop is to be given what comes back. */
  enter(request: HopRequest): HopRequest;
  /** Begins and ends the spans of attempts, and ends those of requests. */
  readonly watch: HopWatch;
  /** An attempt leaves for `origin` (http://127.0.0.1:8080): the trace context of its span, which it is to carry. */
  readonly traceparentOf: (sent: HopRequest, origin: string) => string;
}

/** An attempt that this hop gave up has the status that the hop would answer with, and nobody sent it. */
const GIVEN_UP = new Set(["timeout", "deadline", "cancelled"]);

function endingOf({ outcome, status, sent }: Reply): SpanEnding {
  // A copy that lost and a caller who left are nobody's error.
  if (outcome === "cancelled") return { outcome };
  if (sent === false) return { outcome, error: "not_sent" };
  if (GIVEN_UP.has(outcome)) return { outcome, error: outcome };
  if (status === 0) return { outcome, error: "connection" };
  return { outcome, status, error: status >= 400 ? String(status) : undefined };
}

/** The requests that are under way, by the trace context that the hop was given: each has a span of its own in it. */
type Requests = Map<string, Span>;

function watchRequests(requests: Requests): HopWatch {
  return {
    decided({ traceparent, attempt }, decision) {
      if (!decision.retry) return;
      const facts = { "lab.attempt": attempt, "lab.delay_ms": decision.delayMs };
      requests.get(traceparent)?.addEvent("retry", facts);
    },
    hedged({ traceparent }, event) {
      requests.get(traceparent)?.addEvent("hedge", { "lab.hedge.event": event });
    },
    ended({ traceparent }, outcome, { status, stop, attempts }) {
      const span = requests.get(traceparent);
      if (span === undefined) return;
      requests.delete(traceparent);
      const attributes = { "lab.stop": stop, "lab.attempts": attempts };
      if (outcome === "cancelled") endSpan(span, { outcome, attributes });
      else endSpan(span, { outcome, status, error: serverError(status), attributes });
    },
  };
}

export function hopTracing(tracer: Tracer, tier: string): HopTracing {
  const requests: Requests = new Map();
  const attempts = new WeakMap<HopRequest, Span>();
  const copies = new WeakSet<HopRequest>();
  const forRequests = watchRequests(requests);
  return {
    enter(request) {
      const span = serverSpan(tracer, tier, request);
      const traceparent = traceparentOfSpan(span);
      requests.set(traceparent, span);
      return { ...request, traceparent };
    },
    traceparentOf(sent, origin) {
      const span = attempts.get(sent);
      if (span === undefined) return "";
      nameCallee(span, origin, sent.path);
      return traceparentOfSpan(span);
    },
    watch: {
      ...forRequests,
      hedged(request, event) {
        if (event === "sent") copies.add(request);
        forRequests.hedged?.(request, event);
      },
      attemptStarted(sent) {
        const parent = requests.get(sent.traceparent);
        attempts.set(sent, attemptSpan(tracer, tier, sent, parent, copies.has(sent)));
      },
      attemptEnded(sent, reply) {
        const span = attempts.get(sent);
        if (span !== undefined) endSpan(span, endingOf(reply));
      },
    },
  };
}
