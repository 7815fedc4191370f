/** What `GET /stats` tells of the process itself. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { AwayStats } from "../contract/stats.ts";

export interface ProcessFigures {
  readonly cpuMs: number;
  readonly uptimeMs: number;
  readonly loopLagP99Ms: number;
  readonly spans?: AwayStats;
}

/** What a process hears of the collector of its spans. */
export interface Reach {
  /** A run begins: its figures count afresh. */
  begin(): void;
  stats(): AwayStats;
}

export interface ProcessStats {
  read(): ProcessFigures;
  /** A run begins: lateness is measured afresh. */
  begin(): void;
  close(): void;
}

const TICK_MS = 20;

/**
 * Starts to watch the event loop; this does not keep the process alive.
 * @param spans absent where no spans are wanted
 */
export function watchProcess(spans?: Reach): ProcessStats {
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
        ...(spans === undefined ? {} : { spans: spans.stats() }),
      };
    },
    begin() {
      ticks.reset();
      spans?.begin();
    },
    close: () => ticks.disable(),
  };
}
