/** What a hop has counted since the run began: the hop's part of `GET /stats`, the same in every world. */
import type { HedgeEvent } from "../../policy/hedge/hedge.ts";
import type { Outcome, StopReason } from "../../policy/outcome.ts";
import type { HopWatch } from "../../contract/request.ts";

export interface HopCounts {
  /** Logical requests. */
  arrivals: number;
  /** Logical requests that have not ended. */
  inFlight: number;
  /** Attempts begun. */
  attempts: number;
  readonly attemptOutcomes: Record<Outcome, number>;
  readonly outcomes: Record<Outcome, number>;
  readonly stopReasons: Record<StopReason, number>;
  /** What became of second copies. */
  readonly hedges: Record<HedgeEvent, number>;
}

function noOutcomes(): Record<Outcome, number> {
  return { ok: 0, failed: 0, overloaded: 0, timeout: 0, deadline: 0, rejected: 0, cancelled: 0 };
}

function noStops(): Record<StopReason, number> {
  return {
    success: 0,
    not_retryable: 0,
    not_replayable: 0,
    not_retry_owner: 0,
    attempts_exhausted: 0,
    breaker_open: 0,
    overloaded_upstream: 0,
    deadline_too_near: 0,
    budget_exhausted: 0,
    shed: 0,
  };
}

export function emptyHopCounts(): HopCounts {
  return {
    arrivals: 0,
    inFlight: 0,
    attempts: 0,
    attemptOutcomes: noOutcomes(),
    outcomes: noOutcomes(),
    stopReasons: noStops(),
    hedges: { sent: 0, won: 0, suppressed: 0, denied: 0 },
  };
}

/** A watch that counts into `counts`. */
export function counting(counts: HopCounts): HopWatch {
  return {
    arrived() {
      counts.arrivals += 1;
      counts.inFlight += 1;
    },
    attemptStarted() {
      counts.attempts += 1;
    },
    attemptEnded(_sent, reply) {
      counts.attemptOutcomes[reply.outcome] += 1;
    },
    hedged(_request, event) {
      counts.hedges[event] += 1;
    },
    ended(_request, outcome, reply) {
      counts.inFlight -= 1;
      counts.outcomes[outcome] += 1;
      counts.stopReasons[reply.stop] += 1;
    },
  };
}
