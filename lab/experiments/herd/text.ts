/** How the herds came back, as a table and a sentence. */
import { count, duration, interval, times } from "../../../loadgen/core/format.ts";
import { BACKOFF_KINDS, backoffMs, type BackoffKind } from "../../../services/policy/backoff.ts";
import { textTable } from "../../runs/text.ts";
import { WINDOW_MS, type Herd, type HerdResult } from "./experiment.ts";

/** Whether chance moves a retry of this kind. */
function isJittered(kind: BackoffKind): boolean {
  const [low, high] = [0, 0.9].map((random) => backoffMs({ kind, baseMs: 500, capMs: 8000 }, 1, 500, () => random));
  return low !== high;
}

/** A wall or a ramp, in one sentence. */
function findingOf(results: readonly HerdResult[], clients: number): string {
  const most = (jittered: boolean): string => {
    const kinds = BACKOFF_KINDS.filter((kind) => isJittered(kind) === jittered);
    const own = results.filter(({ backoff }) => kinds.some((kind) => kind === backoff));
    return count(Math.max(...own.map(({ peakAfter }) => peakAfter?.median ?? 0)));
  };
  return `In the steepest ${WINDOW_MS} ms of the return the backend meets ${most(false)} of ${count(clients)} clients without jitter, and at most ${most(true)} with it.`;
}

/** The text, without a line end. @param herd any of those that the results were made with */
export function herdText(
  results: readonly HerdResult[],
  { clients, outageMs }: Pick<Herd, "clients" | "outageMs">,
): string {
  const head = ["backoff", "peak in the outage", "over its mean", "peak at the return", "retries", "last one served"];
  const rows = results.map(({ backoff, peak, peakOverMean, peakAfter, retries, lastServedMs }) => [
    backoff,
    interval(count, peak),
    interval(times, peakOverMean),
    interval(count, peakAfter),
    interval(count, retries),
    lastServedMs?.median === 0 ? "nobody" : `after ${duration(lastServedMs?.median ?? null)}`,
  ]);
  return [
    `${count(clients)} clients are cut off at one moment and ask again; the backend is down for ${duration(outageMs)}. How do they come?`,
    textTable(head, rows),
    findingOf(results, clients),
    `Peak: the most calls in any ${WINDOW_MS} ms. Medians (95 % intervals), virtual. What it says: docs/herd.md`,
  ].join("\n");
}
