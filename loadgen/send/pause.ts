/** Waiting on a clock that can be ended early. */
import type { Clock } from "../../services/policy/clock.ts";

/** Resolves after `ms` milliseconds (none where negative), or as soon as `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(Math.max(0, ms), end);
    signal.addEventListener("abort", end, { once: true });
  });
}
