/** W3C trace context, as far as the chain needs it: one trace a client request, one span id an attempt. */
import type { Rng } from "../policy/clock.ts";

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACE_ID_FROM = 3;
const TRACE_ID_TO = 35;
const SPAN_ID_FROM = 36;
const SPAN_ID_TO = 52;

/** The header when it is well formed, else "": a broken trace context is ignored, as the standard asks. */
export function traceparentOf(header: string | string[] | undefined): string {
  return typeof header === "string" && TRACEPARENT.test(header) ? header : "";
}

/** 32 hex digits, or "" where there is no trace. */
export function traceIdIn(traceparent: string): string {
  return traceparent.slice(TRACE_ID_FROM, TRACE_ID_TO);
}

/** The parts of a trace context. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** 1: whoever began the trace wants it kept; 0: not. */
  readonly traceFlags: number;
}

/** `traceparent` must be well formed, or "": that is undefined. */
export function parseTraceparent(traceparent: string): TraceContext | undefined {
  if (traceparent === "") return undefined;
  return {
    traceId: traceIdIn(traceparent),
    spanId: traceparent.slice(SPAN_ID_FROM, SPAN_ID_TO),
    traceFlags: Number.parseInt(traceparent.slice(SPAN_ID_TO + 1), 16),
  };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function eightHexDigits(rng: Rng): string {
  return ((rng() * 0x1_0000_0000) >>> 0).toString(16).padStart(8, "0");
}

/**
 * The same trace with a span id of its own, for one attempt; "" without a trace. `traceparent` must be well formed.
 * @param rng a span id has to be unique, not secret, so a cheap source will do
 */
export function childTraceparent(traceparent: string, rng: Rng): string {
  if (traceparent === "") return "";
  const spanId = eightHexDigits(rng) + eightHexDigits(rng);
  return traceparent.slice(0, SPAN_ID_FROM) + spanId + traceparent.slice(SPAN_ID_TO);
}
