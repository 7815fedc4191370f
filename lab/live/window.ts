/**
 * The last minute, as the live page shows it. Memory is bounded by its 60 seconds: what is older is forgotten.
 */
import { Quantiles } from "../../loadgen/output/quantiles.ts";
import { ratioOf } from "../../loadgen/core/ratio.ts";
import { NOTHING_COUNTED, sampleOf, type Reading } from "../../loadgen/core/series.ts";
import type { LatencyBand, Mark, StormPoint } from "../report/data/model.ts";
import { callsNeeded } from "../../loadgen/core/limit.ts";
import type { LiveState } from "./model.ts";

/** Seconds of history. */
export const KEPT_S = 60;
/** Seconds that the big numbers are taken over. */
const RECENT_S = 5;
const MOST_MARKS = 12;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What the clients got during one second. */
interface Second {
  ended: number;
  good: number;
  readonly latencies: Quantiles;
}

interface Kept {
  readonly point: StormPoint;
  readonly due: number;
  readonly calls: number;
  readonly second: Second;
}

const newSecond = (): Second => ({ ended: 0, good: 0, latencies: new Quantiles(2) });

export class LiveWindow {
  private kept: Kept[] = [];
  private marks: Mark[] = [];
  private noted = 0;
  private last: Reading = NOTHING_COUNTED;
  private second = newSecond();

  /** A client request ended. @param latencyMs from the time it was due */
  answered(ok: boolean, latencyMs: number): void {
    this.second.ended += 1;
    if (ok) this.second.good += 1;
    this.second.latencies.add(latencyMs);
  }

  /** Something changed at `tS`, worth a letter in the charts. */
  note(tS: number, text: string): void {
    this.marks.push({ tS, text, key: LETTERS.charAt(this.noted % LETTERS.length) });
    this.noted += 1;
    this.marks = this.marks.slice(-MOST_MARKS);
  }

  /** A second is over: its counters are `reading`, which must be later than the one before. */
  tick(reading: Reading): void {
    const { offeredRps, backend } = sampleOf(this.last, reading);
    const seconds = (reading.atMs - this.last.atMs) / 1000;
    const point: StormPoint = {
      tS: (reading.atMs + this.last.atMs) / 2000,
      lengthS: seconds,
      offered: offeredRps,
      calls: backend.arrivals,
      good: this.second.good / seconds,
      capacity: backend.capacity,
      perRequest: offeredRps > 0 ? backend.arrivals / offeredRps : null,
      needed: callsNeeded(backend, offeredRps),
      waiting: backend.waiting,
    };
    const due = reading.due - this.last.due;
    const calls = reading.backend.arrivals - this.last.backend.arrivals;
    this.kept.push({ point, due, calls, second: this.second });
    this.beginMarks(reading.atMs / 1000);
    this.last = reading;
    this.second = newSecond();
    const from = reading.atMs / 1000 - KEPT_S;
    this.kept = this.kept.filter((one) => one.point.tS >= from);
    this.marks = this.marks.filter(({ tS }) => tS >= from);
  }

  /** A second is one value, with what began within it: a mark stands where its second begins, not after its effect. */
  private beginMarks(endS: number): void {
    const beginS = this.last.atMs / 1000;
    this.marks = this.marks.map((mark) => (mark.tS > beginS && mark.tS < endS ? { ...mark, tS: beginS } : mark));
  }

  view(): Pick<LiveState, "storm" | "bands" | "marks" | "recent"> {
    const { kept, marks } = this;
    return {
      storm: kept.map(({ point }) => point),
      bands: kept.flatMap(bandOf),
      marks,
      recent: recentOf(kept),
    };
  }
}

function bandOf({ point, second }: Kept): LatencyBand[] {
  if (second.ended === 0) return [];
  return [{ tS: point.tS, p50: second.latencies.at(0.5) ?? 0, p99: second.latencies.at(0.99) ?? 0 }];
}

function recentOf(kept: readonly Kept[]): LiveState["recent"] {
  const recent = kept.slice(-RECENT_S);
  const sum = (of: (one: Kept) => number): number => recent.reduce((total, one) => total + of(one), 0);
  const due = sum((one) => one.due);
  const ended = sum(({ second }) => second.ended);
  const latencies = new Quantiles(2);
  for (const { second } of recent) latencies.addAll(second.latencies);
  return {
    amplification: ratioOf(
      sum(({ calls }) => calls),
      due,
    ),
    successRate: ratioOf(
      sum(({ second }) => second.good),
      ended,
    ),
    p50: latencies.at(0.5),
    p99: latencies.at(0.99),
  };
}
