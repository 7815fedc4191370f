/**
 * Sends what is due and records what became of it. It never waits for an answer before it sends the next request.
 *
 *     latency = answer − due        late = handed to the HTTP client − due
 *
 * Latency counts from the time at which a request was due: what a generator could not send in time is the user's wait
 * too. What passes after the hand-over, the making of a connection included, is the other side's time. The
 * connections are capped, because a client without a cap turns metastable itself; what waits for one is late, and
 * what never gets one is counted as not sent.
 */
import { poolOf } from "../../services/http/client.ts";
import { Slots } from "../../services/http/slots.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { ClientExchange, type Ending, type Target } from "./client-exchange.ts";
import type { ClientRecord } from "../core/record.ts";
import type { Arrival } from "../core/schedule.ts";
import { orderTraceId } from "../core/trace-id.ts";
import { rounded } from "../core/format.ts";

export interface AttackParts {
  /** The first tier's address. */
  readonly url: string;
  /** The most connections at a time, 1 or more. */
  readonly connections: number;
  /** The client's patience in milliseconds; Infinity for no end. */
  readonly timeoutMs: number;
  readonly seed: number;
  readonly clock: Clock;
}

/** `sent` is false for a request that never got a connection. */
export type OnRecord = (record: ClientRecord, sent: boolean) => void;

export interface Attack {
  /** Sends `arrival` now. @param startMs the schedule's time 0 on the clock */
  send(arrival: Arrival, startMs: number, record: OnRecord): void;
  /** Requests that are due and have not ended. */
  inFlight(): number;
  /** Requests for which the system had no open file left. */
  outOfFiles(): number;
  /** Drops all connections; requests under way fail. */
  close(): Promise<void>;
}

/** @param dueAt on the clock of `ending` */
export function recordOf(arrival: Arrival, traceId: string, dueAt: number, ending: Ending): ClientRecord {
  const { n, id, method, intendedMs } = arrival;
  const { handedAt, endedAt, outcome, status, stop, attempts } = ending;
  return {
    n,
    id,
    method,
    intendedMs: rounded(intendedMs),
    lateMs: rounded(Math.max(0, (handedAt ?? endedAt) - dueAt)),
    latencyMs: rounded(Math.max(0, endedAt - dueAt)),
    outcome,
    status,
    ...(stop === undefined ? {} : { stop }),
    ...(attempts === undefined ? {} : { attempts }),
    traceId,
  };
}

export function createAttack({ url, connections, timeoutMs, seed, clock }: AttackParts): Attack {
  const dispatcher = poolOf(new URL(url).origin, connections);
  let [inFlight, outOfFiles] = [0, 0];
  const onOutOfFiles = (): void => void (outOfFiles += 1);
  const target: Target = { dispatcher, slots: new Slots(connections), clock, timeoutMs, onOutOfFiles };
  const send: Attack["send"] = (arrival, startMs, record) => {
    const traceId = orderTraceId(seed, arrival.id);
    const dueAt = startMs + arrival.intendedMs;
    inFlight += 1;
    new ClientExchange(target, arrival, traceId, dueAt, (ending) => {
      inFlight -= 1;
      record(recordOf(arrival, traceId, dueAt, ending), ending.sent);
    });
  };
  return { send, inFlight: () => inFlight, outOfFiles: () => outOfFiles, close: () => dispatcher.destroy() };
}
