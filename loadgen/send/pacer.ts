/**
 * Hands out each request of a schedule when it is due, whatever the main thread or the services are at.
 *
 * The thread that sleeps is a worker (pacer-worker.ts). When the main thread stalls, what became due meanwhile is
 * handed out at once afterwards: sent late, and counted as late by whoever sends it, but never skipped.
 */
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import { startThread } from "../../services/real-time/thread.ts";
import type { Arrival, ScheduleConfig } from "../core/schedule.ts";

export interface PacerTask {
  readonly config: ScheduleConfig;
  /** Becomes 1 when the pacer is to stop. */
  readonly stopped: Int32Array<SharedArrayBuffer>;
}

export type PacerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "due"; readonly arrivals: readonly Arrival[] }
  | { readonly kind: "over" };

export interface PacerParts {
  readonly config: ScheduleConfig;
  /** The schedule has begun: its time 0 in `monotonicMs`. */
  readonly onStart: (startMs: number) => void;
  readonly onDue: (arrival: Arrival) => void;
}

export interface Pacer {
  /** Resolves when the schedule is over, or stopped; rejects when the thread breaks. */
  readonly over: Promise<void>;
  /** Nothing more becomes due. */
  stop(): void;
}

/** The first requests must not wait for what else happens at the start. In milliseconds. */
const LEAD_MS = 20;

/** Starts a schedule as soon as its thread is ready. */
export function startPacer({ config, onStart, onDue }: PacerParts): Pacer {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const task: PacerTask = { config, stopped };
  const worker = startThread(new URL("./pacer-worker.ts", import.meta.url), task);
  const over = new Promise<void>((resolve, reject) => {
    worker.on("message", (message: PacerMessage) => {
      if (message.kind === "ready") {
        const startMs = monotonicMs() + LEAD_MS;
        onStart(startMs);
        worker.postMessage(startMs);
      } else if (message.kind === "due") for (const arrival of message.arrivals) onDue(arrival);
      else resolve();
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve());
  });
  const stop = (): void => {
    Atomics.store(stopped, 0, 1);
    Atomics.notify(stopped, 0);
  };
  return { over, stop };
}
