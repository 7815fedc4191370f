/**
 * The timeline of a run, second by second, as a verdict needs it: what became of the requests that were due in that
 * second, and how many calls the backend got in it.
 */
import { ratioOf } from "../../loadgen/core/ratio.ts";
import type { ClientRecord } from "../../loadgen/core/record.ts";

export interface Second {
  /** Its beginning, in whole seconds from the start of the schedule. */
  readonly atS: number;
  /** Client requests that were due in it. */
  readonly due: number;
  /** Of those, requests that were answered well, whenever. */
  readonly ok: number;
  /** Calls that arrived at the backend in it. */
  readonly calls: number;
}

type Due = Pick<ClientRecord, "intendedMs" | "outcome">;

/** One reading of the backend's counter, in the order of time. */
export interface CallsUntil {
  /** Seconds from the start of the schedule. */
  readonly tS: number;
  /** Calls that had arrived by then. */
  readonly calls: number;
}

/** Calls by `atS`, in a straight line between the readings on both sides. */
function callsBy(readings: readonly CallsUntil[], atS: number): number {
  let before: CallsUntil = { tS: 0, calls: 0 };
  for (const reading of readings) {
    if (reading.tS >= atS) {
      const share = reading.tS > before.tS ? (atS - before.tS) / (reading.tS - before.tS) : 1;
      return before.calls + (reading.calls - before.calls) * share;
    }
    before = reading;
  }
  return before.calls;
}

/**
 * @param durationS length of the schedule in seconds; the last second may be a part of one
 * @param records in any order
 */
export function timelineOf(durationS: number, records: Iterable<Due>, readings: readonly CallsUntil[]): Second[] {
  const length = Math.ceil(durationS);
  const due = Array.from({ length }, () => 0);
  const ok = Array.from({ length }, () => 0);
  for (const { intendedMs, outcome } of records) {
    const second = Math.min(length - 1, Math.floor(intendedMs / 1000));
    due[second] = (due[second] ?? 0) + 1;
    if (outcome === "ok") ok[second] = (ok[second] ?? 0) + 1;
  }
  return due.map((requests, atS) => ({
    atS,
    due: requests,
    ok: ok[atS] ?? 0,
    calls: Math.round(callsBy(readings, atS + 1) - callsBy(readings, atS)),
  }));
}

export interface Phase {
  readonly due: number;
  readonly ok: number;
  readonly calls: number;
}

/** What happened from `fromS` until `toS`, whole seconds. */
export function phase(timeline: readonly Second[], fromS: number, toS: number): Phase {
  const total = { due: 0, ok: 0, calls: 0 };
  for (const { atS, due, ok, calls } of timeline) {
    if (atS < fromS || atS >= toS) continue;
    total.due += due;
    total.ok += ok;
    total.calls += calls;
  }
  return total;
}

/** Share of the requests that were answered well, 0 to 1; null where nothing was due. */
export const successOf = ({ due, ok }: Phase): number | null => ratioOf(ok, due);
