/** Ctrl-C, once and twice. */
import { onInterrupt } from "../../loadgen/run/interrupts.ts";

export interface Interrupt {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** What must be done when a second signal says: now. Forgotten once `over` is aborted. */
  readonly onKill: (kill: () => void, over: AbortSignal) => void;
}

/** Listens to SIGINT, SIGTERM and SIGHUP from now on. A second signal, half a second after the first, ends the lab. */
export function listenForInterrupts(say: (text: string) => void): Interrupt {
  const controller = new AbortController();
  const kills = new Set<() => void>();
  const killAll = (): void => {
    for (const kill of kills) kill();
  };
  onInterrupt((signal) => {
    say(`\n${signal}: stopping (once more to stop at once) …`);
    controller.abort();
  });
  // Also after an error that nobody foresaw.
  process.on("exit", killAll);
  return {
    stop: controller.signal,
    onKill(kill, over) {
      kills.add(kill);
      over.addEventListener("abort", () => kills.delete(kill), { once: true });
    },
  };
}
