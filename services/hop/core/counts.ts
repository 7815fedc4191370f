/** What a hop has counted since the run began: the hop's part of `GET /stats`, the same in every world. */
import { HEDGE_EVENTS, type HedgeEvent } from "../../policy/hedge/hedge.ts";
import { OUTCOMES, STOP_REASONS, type Outcome, type StopReason } from "../../policy/outcome.ts";
import type { HopWatch } from "../../contract/request.ts";
import { zeros } from "../../contract/zeros.ts";

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

export function emptyHopCounts(): HopCounts {
  return {
    arrivals: 0,
    inFlight: 0,
    attempts: 0,
    attemptOutcomes: zeros(OUTCOMES),
    outcomes: zeros(OUTCOMES),
    stopReasons: zeros(STOP_REASONS),
    hedges: zeros(HEDGE_EVENTS),
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
