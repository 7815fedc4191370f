/**
 * The open-loop client in virtual time: sends each order when it is due, whatever became of those before it, and
 * records what it got.
 */
import type { ClientRecord } from "../../loadgen/record.ts";
import type { Arrival } from "../../loadgen/schedule.ts";
import { traceIdOf, traceparentOf } from "../../loadgen/trace-id.ts";
import type { HopRequest } from "../../services/hop/request.ts";
import type { WireReply } from "../../services/hop/wire.ts";
import { outcomeOfStatus } from "../../services/policy/outcome.ts";
import type { Clock } from "../../services/policy/clock.ts";
import type { Link } from "./link.ts";

export interface ClientParts {
  readonly clock: Clock;
  readonly link: Link;
  readonly seed: number;
  /** Milliseconds after which the client gives up; Infinity for never. */
  readonly timeoutMs: number;
  readonly record: (record: ClientRecord) => void;
}

const NO_CONNECTION: WireReply = { status: 0, doNotRetry: false, outcome: "failed" };
const GAVE_UP: WireReply = { status: 0, doNotRetry: false, outcome: "timeout" };

/** Microseconds: finer differences are rounding of the engine's arithmetic, and must not reach a report. */
const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Begins to send `arrivals`, in order; the first is due `intendedMs` from now. One arrival is planned at a time. */
export function startClient(parts: ClientParts, arrivals: Iterable<Arrival>): void {
  const { clock } = parts;
  const startedAt = clock.now();
  const schedule = arrivals[Symbol.iterator]();
  const planNext = (): void => {
    const next = schedule.next();
    if (next.done === true) return;
    const arrival = next.value;
    clock.after(startedAt + arrival.intendedMs - clock.now(), () => {
      planNext();
      sendOne(parts, arrival, startedAt + arrival.intendedMs);
    });
  };
  planNext();
}

function sendOne(parts: ClientParts, arrival: Arrival, dueAt: number): void {
  const { clock, link, seed, timeoutMs, record } = parts;
  const { n, id, method, intendedMs, idempotencyKey } = arrival;
  const traceId = traceIdOf(seed, id);
  const request: HopRequest = {
    id,
    method,
    path: `/orders/${id}`,
    traceparent: traceparentOf(traceId),
    attempt: 1,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const ended = (reply: WireReply = NO_CONNECTION): void => {
    record({
      n,
      id,
      method,
      intendedMs: roundedMs(intendedMs),
      lateMs: 0,
      latencyMs: roundedMs(clock.now() - dueAt),
      outcome: reply.outcome ?? outcomeOfStatus(reply.status),
      status: reply.status,
      ...(reply.stop === undefined ? {} : { stop: reply.stop }),
      ...(reply.attempts === undefined ? {} : { attempts: reply.attempts }),
      traceId,
    });
  };
  if (timeoutMs === Infinity) {
    link.send(request, ended);
    return;
  }
  const leave = link.send(request, (reply) => {
    stopWaiting();
    ended(reply);
  });
  const stopWaiting = clock.after(timeoutMs, () => {
    leave();
    ended(GAVE_UP);
  });
}
