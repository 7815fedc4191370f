/**
 * What an interrupt means. One Ctrl-C may arrive as several signals: the terminal sends it to a whole group of
 * processes, and make, a script or a container's init hand it on.
 */

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
