/**
 * One client request, as a flat line of `records.ndjson`. Everything that a report says about latency or outcomes is
 * computed from these lines alone, so a report does not know which world they came from.
 */
import type { Outcome, StopReason } from "../../services/policy/outcome.ts";

export interface ClientRecord {
  /** Position in the schedule, 0, 1, … */
  readonly n: number;
  /** The order's id; the random numbers of the services are keyed by it. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Milliseconds from the start of the schedule at which the request was due. */
  readonly intendedMs: number;
  /** How much later than due it was sent, in milliseconds. */
  readonly lateMs: number;
  /** From the *intended* time to the answer, in milliseconds. */
  readonly latencyMs: number;
  readonly outcome: Outcome;
  /** HTTP status; 0 where none came. */
  readonly status: number;
  /** Why the edge stopped trying, when it said so. */
  readonly stop?: StopReason | undefined;
  /** Attempts that the edge made, when it said so. */
  readonly attempts?: number | undefined;
  /** W3C trace id. */
  readonly traceId: string;
}
