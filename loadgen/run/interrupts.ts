/**
 * What an interrupt means. One Ctrl-C may arrive as several signals: the terminal sends it to a whole group of
 * processes, and make, a script or a container's init hand it on.
 */
import { monotonicMs } from "../../services/real-time/monotonic.ts";

/** Signals closer to the first than this are the same Ctrl-C, in milliseconds. */
const SAME_WITHIN_MS = 500;

/** `stop`: end in good order; `same`: nothing new; `exit`: the user means now. */
export type Meaning = "stop" | "same" | "exit";

/** Call it at each signal. @param nowMs the time in milliseconds, on a clock that never goes back */
export function createInterrupts(): (nowMs: number) => Meaning {
  let firstMs: number | undefined;
  return (nowMs) => {
    if (firstMs === undefined) {
      firstMs = nowMs;
      return "stop";
    }
    return nowMs - firstMs > SAME_WITHIN_MS ? "exit" : "same";
  };
}

/**
 * Listens to Ctrl-C and the like from now on. The first calls `stop`; a later one that is no echo of it ends the
 * process.
 * @returns the same for what is no signal, such as the end of the parent
 */
export function onInterrupt(stop: (why: string) => void): (why: string) => void {
  const meaningAt = createInterrupts();
  const interrupt = (why: string): void => {
    const meaning = meaningAt(monotonicMs());
    if (meaning === "exit") process.exit(1);
    if (meaning === "stop") stop(why);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  return interrupt;
}
