/**
 * All that a page says about single requests, gathered record by record. Memory is bounded by the number of
 * intervals, bins and dots, not by the number of records.
 */
import { Quantiles } from "../../../loadgen/output/quantiles.ts";
import type { ClientRecord } from "../../../loadgen/core/record.ts";
import type { AttemptBin, LatencyBand, LatencyBin, LatencyDot } from "./model.ts";
import { intervalAt, lengthOf, middleOf, timeGrid, type TimeGrid } from "./time-grid.ts";

const MOST_DOTS = 2000;
/** Attempts beyond this count as this many. */
const MOST_ATTEMPTS = 20;
/** Bars that double in width every so many. */
const BINS_PER_DOUBLING = 3;
/** An hour: what takes longer stands in the last bar. */
const LONGEST_US = 3_600_000_000;

export interface Digest {
  /** The intervals of `offered` and `good`. */
  readonly grid: TimeGrid;
  /** Requests due per second, by the interval in which they were due. */
  readonly offered: readonly number[];
  /** Good answers per second, by the interval in which they reached the client. */
  readonly good: readonly number[];
  readonly bands: readonly LatencyBand[];
  readonly dots: readonly LatencyDot[];
  readonly bins: readonly LatencyBin[];
  readonly attempts: readonly AttemptBin[];
}

interface Tally {
  ok: number;
  other: number;
}

const inUs = (ms: number): number => Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1000)));

const byKey = <T>(map: ReadonlyMap<number, T>): [number, T][] => [...map].sort(([a], [b]) => a - b);

export class RecordDigest {
  private readonly grid: TimeGrid;
  private readonly stride: number;
  private readonly offered: (number | undefined)[] = [];
  private readonly good: (number | undefined)[] = [];
  private readonly latencies = new Map<number, Quantiles>();
  private readonly dots: LatencyDot[] = [];
  private readonly bins = new Map<number, Tally>();
  private readonly attempts = new Map<number, Tally>();

  /** @param requests how many records will come, about: it decides which of them are drawn as dots */
  constructor(durationS: number, requests: number) {
    this.grid = timeGrid(durationS);
    this.stride = Math.max(1, Math.ceil(requests / MOST_DOTS));
  }

  add(record: ClientRecord): void {
    const { n, intendedMs, latencyMs, attempts = 0 } = record;
    const ok = record.outcome === "ok";
    const kind = ok ? "ok" : "other";
    this.latenciesAt(this.interval(intendedMs)).add(latencyMs);
    addOne(this.offered, this.interval(intendedMs));
    if (ok) addOne(this.good, this.interval(intendedMs + latencyMs));
    if (n % this.stride === 0 && this.dots.length < MOST_DOTS) {
      this.dots.push({ tS: intendedMs / 1000, ms: latencyMs, ok });
    }
    tallyOf(this.bins, Math.floor(Math.log2(inUs(latencyMs)) * BINS_PER_DOUBLING))[kind] += 1;
    tallyOf(this.attempts, Math.min(attempts, MOST_ATTEMPTS))[kind] += 1;
  }

  result(): Digest {
    const { grid } = this;
    return {
      grid,
      offered: perSecond(this.offered, grid),
      good: perSecond(this.good, grid),
      bands: byKey(this.latencies).map(([interval, latencies]) => ({
        tS: middleOf(grid, interval),
        p50: latencies.at(0.5) ?? 0,
        p99: latencies.at(0.99) ?? 0,
      })),
      dots: this.dots,
      bins: byKey(this.bins).map(([bin, tally]) => ({
        fromMs: edgeMs(bin),
        toMs: edgeMs(bin + 1),
        ...tally,
      })),
      attempts: byKey(this.attempts).map(([attempts, tally]) => ({ attempts, ...tally })),
    };
  }

  private interval(ms: number): number {
    return intervalAt(this.grid, ms / 1000);
  }

  private latenciesAt(interval: number): Quantiles {
    const latencies = this.latencies.get(interval) ?? new Quantiles(2);
    this.latencies.set(interval, latencies);
    return latencies;
  }
}

function addOne(counts: (number | undefined)[], interval: number): void {
  counts[interval] = (counts[interval] ?? 0) + 1;
}

/** An interval in which nothing happened is a hole in `counts`. */
function perSecond(counts: readonly (number | undefined)[], grid: TimeGrid): number[] {
  return Array.from(counts, (counted = 0, interval) => counted / lengthOf(grid, interval));
}

function edgeMs(bin: number): number {
  return 2 ** (bin / BINS_PER_DOUBLING) / 1000;
}

function tallyOf(tallies: Map<number, Tally>, key: number): Tally {
  const tally = tallies.get(key) ?? { ok: 0, other: 0 };
  tallies.set(key, tally);
  return tally;
}
