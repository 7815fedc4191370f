/** The real clock. Its timers never keep the process alive: what is still wanted holds a socket open, and that does. */
import type { Clock } from "../policy/clock.ts";
import { monotonicMs } from "./monotonic.ts";

/** Beyond this many milliseconds Node fires a timer at once instead of late. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    // Node cuts fractions off; a wait that is rounded up is never too short.
    const timer = setTimeout(run, Math.min(LONGEST_TIMER_MS, Math.ceil(delayMs)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The real clock as all threads of the process read it: a schedule's thread and who sends what is due must agree. */
export const sharedClock: Clock = { ...realClock, now: monotonicMs };
