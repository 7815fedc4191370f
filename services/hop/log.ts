/** What a hop does, as log lines. */
import type { HopWatch } from "../contract/request.ts";
import type { Logger } from "../telemetry/log.ts";
import { traceIdIn } from "../contract/trace-context.ts";

/** Attempts at level debug, logical requests that did not succeed at info; nothing is built for a level that is off. */
export function logging(log: Logger, hop: string): HopWatch {
  return {
    ...(log.isLevelEnabled("debug") && {
      attemptEnded(sent, { outcome, status }, elapsedMs) {
        const { id, traceparent, attempt } = sent;
        log.debug({ traceId: traceIdIn(traceparent), hop, id, attempt, outcome, status, elapsedMs }, "attempt");
      },
    }),
    ...(log.isLevelEnabled("info") && {
      ended({ id, traceparent }, outcome, { status, stop, attempts }, elapsedMs) {
        if (outcome === "ok") return;
        log.info(
          { traceId: traceIdIn(traceparent), hop, id, attempts, outcome, status, stop, elapsedMs },
          "call failed",
        );
      },
    }),
  } satisfies HopWatch;
}
