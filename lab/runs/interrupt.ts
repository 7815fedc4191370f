/** Ctrl-C, once and twice. */

/** One Ctrl-C reaches the lab twice when it runs under make or bin/lab: from the terminal, and from the script. */
const SAME_MS = 500;

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
  let firstMs: number | undefined;
  const killAll = (): void => {
    for (const kill of kills) kill();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (firstMs === undefined) {
        firstMs = nowMs;
        say(`\n${signal}: stopping (once more to stop at once) …`);
        controller.abort();
      } else if (nowMs - firstMs > SAME_MS) {
        process.exit(1);
      }
    });
  }
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
