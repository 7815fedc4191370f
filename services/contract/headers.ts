/** The wire conventions of docs/contracts.md, read and written in one place. */
import type { HopRequest } from "./request.ts";
import { traceparentOf } from "./trace-context.ts";

export const TRACEPARENT = "traceparent";
export const IDEMPOTENCY_KEY = "idempotency-key";
export const ATTEMPT_COUNT = "x-envoy-attempt-count";
export const REMAINING_MS = "x-envoy-expected-rq-timeout-ms";
export const REPLICA = "x-lab-replica";
export const TIED = "x-lab-tied";
export const RETRY_AFTER = "retry-after";
export const RETRY_OK = "x-retry-ok";
export const ATTEMPTS_MADE = "x-lab-attempts";

const ORDER_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** The backend remembers keys, so their length bounds its memory. */
const LONGEST_IDEMPOTENCY_KEY = 255;

const ATTEMPT = /^[1-9]\d{0,3}$/;
const REPLICA_NUMBER = /^[1-8]$/;
const MILLISECONDS = /^-?\d{1,9}(\.\d{1,9})?$/;

/** As Node hands them over: names in small letters. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && header !== "" ? header : undefined;
}

function numberOf(header: string | string[] | undefined, form: RegExp): number | undefined {
  return typeof header === "string" && form.test(header) ? Number(header) : undefined;
}

/** What is wrong with a request for an order; an empty list: nothing. */
export function problemsOfOrder(id: string, headers: Headers): string[] {
  const problems: string[] = [];
  if (!ORDER_ID.test(id)) problems.push("the order's id must be 1 to 64 letters, digits, _ or -");
  if ((textOf(headers[IDEMPOTENCY_KEY]) ?? "").length > LONGEST_IDEMPOTENCY_KEY) {
    problems.push(`${IDEMPOTENCY_KEY} must not be longer than ${LONGEST_IDEMPOTENCY_KEY} characters`);
  }
  return problems;
}

/** The request as it stands before a hop. A header that is malformed counts as absent. */
export function requestOf(id: string, method: "GET" | "POST", path: string, headers: Headers): HopRequest {
  return {
    id,
    method,
    path,
    traceparent: traceparentOf(headers[TRACEPARENT]),
    idempotencyKey: textOf(headers[IDEMPOTENCY_KEY]),
    attempt: numberOf(headers[ATTEMPT_COUNT], ATTEMPT) ?? 1,
    remainingMs: numberOf(headers[REMAINING_MS], MILLISECONDS),
    replica: numberOf(headers[REPLICA], REPLICA_NUMBER),
    tied: numberOf(headers[TIED], ATTEMPT),
  };
}

/**
 * The headers of one attempt, as undici takes them without a copy: name, value, name, value, …
 * @param traceparent the trace context that goes out; "" for none
 */
export function attemptHeaders(sent: HopRequest, traceparent: string): string[] {
  const headers = [ATTEMPT_COUNT, String(sent.attempt)];
  if (traceparent !== "") headers.push(TRACEPARENT, traceparent);
  if (sent.idempotencyKey !== undefined) headers.push(IDEMPOTENCY_KEY, sent.idempotencyKey);
  if (sent.remainingMs !== undefined) headers.push(REMAINING_MS, String(sent.remainingMs));
  if (sent.replica !== undefined) headers.push(REPLICA, String(sent.replica));
  if (sent.tied !== undefined) headers.push(TIED, String(sent.tied));
  return headers;
}
