/**
 * The open-loop client in virtual time: sends each order when it is due, whatever became of those before it, and
 * records what it got.
 */
import type { ClientRecord } from "../../../../loadgen/core/record.ts";
import type { Arrival } from "../../../../loadgen/core/schedule.ts";
import { orderTraceId, orderTraceparent } from "../../../../loadgen/core/trace-id.ts";
import type { HopRequest } from "../../../../services/contract/request.ts";
import type { WireReply } from "../../../../services/contract/wire.ts";
import { outcomeOfStatus } from "../../../../services/policy/outcome.ts";
import type { Clock } from "../../../../services/policy/clock.ts";
import type { Link } from "./link.ts";
import { rounded } from "../../../../loadgen/core/format.ts";

/** A request has ended; `sent` is false when it never got a connection. */
export type OnVirtualRecord = (record: ClientRecord, sent: boolean) => void;

export interface ClientParts {
  readonly clock: Clock;
  readonly link: Link;
  readonly seed: number;
  /** Milliseconds after which the client gives up; Infinity for never. */
  readonly timeoutMs: number;
  /** A request is sent: it is due. */
  readonly onDue: () => void;
  readonly onRecord: OnVirtualRecord;
}

const NO_CONNECTION: WireReply = { status: 0, doNotRetry: false, outcome: "failed" };
const GAVE_UP: WireReply = { status: 0, doNotRetry: false, outcome: "timeout" };

/** Microseconds: finer differences are rounding of the engine's arithmetic, and must not reach a report. */

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

function requestOf({ id, method, idempotencyKey }: Arrival, traceId: string): HopRequest {
  return {
    id,
    method,
    path: `/orders/${id}`,
    traceparent: orderTraceparent(traceId),
    idempotencyKey,
    attempt: 1,
  };
}

function sendOne(parts: ClientParts, arrival: Arrival, dueAt: number): void {
  const { clock, link, seed, timeoutMs, onDue, onRecord } = parts;
  const { n, id, method, intendedMs } = arrival;
  const traceId = orderTraceId(seed, id);
  const ended = ({ outcome, status, stop, attempts }: WireReply, sent: boolean): void => {
    onRecord(
      {
        n,
        id,
        method,
        intendedMs: rounded(intendedMs),
        lateMs: 0,
        latencyMs: rounded(clock.now() - dueAt),
        outcome: outcome ?? outcomeOfStatus(status),
        status,
        ...(stop === undefined ? {} : { stop }),
        ...(attempts === undefined ? {} : { attempts }),
        traceId,
      },
      sent,
    );
  };
  onDue();
  let stopWaiting = (): void => {};
  const leave = link.send(requestOf(arrival, traceId), (reply) => {
    stopWaiting();
    ended(reply ?? NO_CONNECTION, reply !== undefined);
  });
  if (timeoutMs === Infinity) return;
  stopWaiting = clock.after(timeoutMs, () => {
    const unsentBefore = link.unsent;
    leave();
    ended(GAVE_UP, link.unsent === unsentBefore);
  });
}
