/** How the herds came back, as a table and a sentence. */
import { count, duration, interval, times } from "../../../loadgen/core/format.ts";
import { backoffMs, type BackoffKind } from "../../../services/policy/backoff.ts";
import { textTable } from "../../runs/text.ts";
import { HERD, type HerdResult } from "./experiment.ts";

/** Whether chance moves a retry of this kind. */
function isJittered(kind: BackoffKind): boolean {
  const { baseMs, capMs } = HERD;
  const [low, high] = [0, 0.9].map((random) => backoffMs({ kind, baseMs, capMs }, 1, baseMs, () => random));
  return low !== high;
}

/** A wall or a ramp, in one sentence. */
function findingOf(results: readonly HerdResult[], clients: number): string {
  const most = (jittered: boolean): string => {
    const own = results.filter(({ backoff }) => isJittered(backoff) === jittered);
    return count(Math.max(...own.map(({ peakAfter }) => peakAfter?.median ?? 0)));
  };
  return `In the steepest ${HERD.windowMs} ms of the return the backend meets ${most(false)} of ${clients} clients without jitter, and at most ${most(true)} with it.`;
}

/** The text, without a line end. @param clients as the results were made with */
export function herdText(results: readonly HerdResult[], clients: number = HERD.clients): string {
  const { outageMs, windowMs } = HERD;
  const head = ["backoff", "peak in the outage", "over its mean", "peak at the return", "retries", "last one served"];
  const rows = results.map(({ backoff, peak, peakOverMean, peakAfter, retries, lastServedMs }) => [
    backoff,
    interval(count, peak),
    interval(times, peakOverMean),
    interval(count, peakAfter),
    interval(count, retries),
    `after ${duration(lastServedMs?.median ?? null)}`,
  ]);
  return [
    `${clients} clients are cut off at one moment and ask again; the backend is down for ${outageMs} ms. How do they come?`,
    textTable(head, rows),
    findingOf(results, clients),
    `Peak: the most calls in any ${windowMs} ms. Medians (95 % intervals), virtual. What it says: docs/herd.md`,
  ].join("\n");
}
