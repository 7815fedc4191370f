/** What a hop does, as log lines. */
import type { HopWatch } from "../hop/request.ts";
import type { Logger } from "./log.ts";
import { traceIdOf } from "./trace-context.ts";

/** Attempts at level debug, logical requests that did not succeed at info; nothing is built for a level that is off. */
export function logging(log: Logger, hop: string): HopWatch {
  return {
    ...(log.isLevelEnabled("debug") && {
      attemptEnded(sent, { outcome, status }, elapsedMs) {
        const { id, traceparent, attempt } = sent;
        log.debug(
          { traceId: traceIdOf(traceparent), hop, id, attempt, outcome, status, elapsedMs },
          "attempt",
        );
      },
    }),
    ...(log.isLevelEnabled("info") && {
      ended({ id, traceparent }, outcome, { status, stop, attempts }, elapsedMs) {
        if (outcome === "ok") return;
        log.info(
          { traceId: traceIdOf(traceparent), hop, id, attempts, outcome, status, stop, elapsedMs },
          "call failed",
        );
      },
    }),
  } satisfies HopWatch;
}
