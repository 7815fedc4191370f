/** What `GET /stats` tells of the process itself. */
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface ProcessFigures {
  readonly cpuMs: number;
  readonly uptimeMs: number;
  readonly loopLagP99Ms: number;
}

export interface ProcessStats {
  read(): ProcessFigures;
  /** A run begins: lateness is measured afresh. */
  begin(): void;
  close(): void;
}

const TICK_MS = 20;

/** Starts to watch the event loop; this does not keep the process alive. */
export function watchProcess(): ProcessStats {
  const ticks = monitorEventLoopDelay({ resolution: TICK_MS });
  ticks.enable();
  return {
    read() {
      const { user, system } = process.cpuUsage();
      return {
        cpuMs: (user + system) / 1000,
        uptimeMs: process.uptime() * 1000,
        // The histogram holds whole intervals between ticks: what is beyond the tick is lateness.
        loopLagP99Ms: Math.max(0, ticks.percentile(99) / 1e6 - TICK_MS),
      };
    },
    begin: () => ticks.reset(),
    close: () => ticks.disable(),
  };
}
