/**
 * The pacer's thread: sleeps until the next request is due and posts it.
 *
 * It does nothing else, so nothing delays it. A timer of the main thread would be late by whatever that thread is at,
 * and knows whole milliseconds only.
 */
import { parentPort, workerData } from "node:worker_threads";
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import type { PacerMessage, PacerTask } from "./pacer.ts";
import { schedule, type Arrival } from "../core/schedule.ts";

/** Requests in one message at most: after a stall, the first of them are sent before the last are made. */
const MOST_AT_ONCE = 256;

const { config, stopped } = workerData as PacerTask;

const isStopped = (): boolean => Atomics.load(stopped, 0) === 1;

function post(message: PacerMessage): void {
  parentPort?.postMessage(message);
}

/** Sleeps until `untilMs` of the shared clock, or until the pacer is stopped. */
function sleep(untilMs: number): void {
  for (let now = monotonicMs(); now < untilMs && !isStopped(); now = monotonicMs()) {
    Atomics.wait(stopped, 0, 0, untilMs - now);
  }
}

function run(startMs: number): void {
  let due: Arrival[] = [];
  const flush = (): void => {
    if (due.length > 0) post({ kind: "due", arrivals: due });
    due = [];
  };
  for (const arrival of schedule(config)) {
    const atMs = startMs + arrival.intendedMs;
    if (due.length >= MOST_AT_ONCE || atMs > monotonicMs()) flush();
    sleep(atMs);
    if (isStopped()) break;
    due.push(arrival);
  }
  flush();
  sleep(startMs + config.durationS * 1000);
  post({ kind: "over" });
}

parentPort?.once("message", (startMs: number) => run(startMs));
post({ kind: "ready" });
