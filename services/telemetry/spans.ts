/**
 * The lab's spans: OpenTelemetry's semantic conventions for HTTP, and under `lab.` what these do not know. All names of
 * attributes stand here.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { HopRequest } from "../contract/request.ts";
import { formatTraceparent, parseTraceparent } from "../contract/trace-context.ts";

/** Every order has the same route. */
const ROUTE = "/orders/:id";

export function traceparentOfSpan(span: Span): string {
  return formatTraceparent(span.spanContext());
}

function contextOf(traceparent: string): Context {
  const parent = parseTraceparent(traceparent);
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** The span of a request that has arrived at a tier; it begins a trace where the caller had none. */
export function serverSpan(tracer: Tracer, tier: string, request: HopRequest): Span {
  const { id, method, path, attempt, traceparent } = request;
  const [pathAlone = path] = path.split("?", 1);
  const attributes: Attributes = {
    "http.request.method": method,
    "http.route": ROUTE,
    "url.path": pathAlone,
    "url.scheme": "http",
    "lab.tier": tier,
    "lab.request.id": id,
    "lab.caller.attempt": attempt,
  };
  return tracer.startSpan(`${method} ${ROUTE}`, { kind: SpanKind.SERVER, attributes }, contextOf(traceparent));
}

/**
 * The span of one attempt, called `edge#2`.
 * @param parent the span of the request that it is made for
 * @param isCopy whether it is a second copy, sent while the first one was under way
 */
export function attemptSpan(
  tracer: Tracer,
  tier: string,
  sent: HopRequest,
  parent: Span | undefined,
  isCopy: boolean,
): Span {
  const { id, method, attempt, replica } = sent;
  const attributes: Attributes = {
    "http.request.method": method,
    "lab.tier": tier,
    "lab.request.id": id,
    "lab.attempt": attempt,
  };
  if (attempt > 1) attributes["http.request.resend_count"] = attempt - 1;
  if (replica !== undefined) attributes["lab.replica"] = replica;
  if (isCopy) attributes["lab.hedge"] = true;
  const within = parent === undefined ? contextOf(sent.traceparent) : trace.setSpan(ROOT_CONTEXT, parent);
  return tracer.startSpan(`${tier}#${attempt}`, { kind: SpanKind.CLIENT, attributes }, within);
}

/** Says whom an attempt went to, which is known only once it leaves. */
export function nameCallee(span: Span, origin: string, path: string): void {
  const { hostname, port, protocol } = new URL(origin);
  span.setAttributes({
    "url.full": origin + path,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
  });
}

/** How a span ends. */
export interface SpanEnding {
  readonly outcome: string;
  /** The HTTP status that was sent or received; undefined where there was none. */
  readonly status?: number | undefined;
  /** `error.type`: what went wrong, in one word; undefined where nothing did. */
  readonly error?: string | undefined;
  readonly attributes?: Attributes;
}

export function endSpan(span: Span, { outcome, status, error, attributes = {} }: SpanEnding): void {
  span.setAttributes({ "lab.outcome": outcome, ...attributes });
  if (status !== undefined) span.setAttribute("http.response.status_code", status);
  if (error !== undefined) {
    span.setAttribute("error.type", error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** To a server its own fault alone is an error: what a caller asked wrongly (4xx) is none. */
export const serverError = (status: number): string | undefined => (status >= 500 ? String(status) : undefined);
