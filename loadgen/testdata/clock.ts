/** A clock for tests: nobody waits for it. */
import type { Clock } from "../../services/policy/clock.ts";

/** Every wait is over at once, and `time` has gone on by its length. */
export function hurriedClock(time: { ms: number }): Clock {
  return {
    now: () => time.ms,
    after(delayMs, run) {
      time.ms += delayMs;
      queueMicrotask(run);
      return () => {};
    },
  };
}
