/** Several who watch one hop. */
import type { HopWatch } from "../../contract/request.ts";

/** One watch that tells several, in their order. */
export function watchAll(watches: readonly HopWatch[]): HopWatch {
  return {
    arrived(request) {
      for (const watch of watches) watch.arrived?.(request);
    },
    attemptStarted(sent) {
      for (const watch of watches) watch.attemptStarted?.(sent);
    },
    attemptEnded(sent, reply, elapsedMs) {
      for (const watch of watches) watch.attemptEnded?.(sent, reply, elapsedMs);
    },
    decided(sent, decision) {
      for (const watch of watches) watch.decided?.(sent, decision);
    },
    hedged(request, event) {
      for (const watch of watches) watch.hedged?.(request, event);
    },
    ended(request, outcome, reply, elapsedMs) {
      for (const watch of watches) watch.ended?.(request, outcome, reply, elapsedMs);
    },
  };
}
