/**
 * What the charts are drawn from: plain data, made once by `run-data.ts` and embedded in the page as JSON. The live
 * page makes the same shapes from its stream, and so shows the same charts.
 */

/** What happened in one interval of the run. `null` where nothing was measured. */
export interface StormPoint {
  /** The interval's middle, in seconds from the start of the schedule. */
  readonly tS: number;
  /** Seconds that the interval lasts. */
  readonly lengthS: number;
  /** Client requests due, per second. */
  readonly offered: number | null;
  /** Calls that reached the backend, per second. */
  readonly calls: number | null;
  /** Good answers that reached the client, per second. */
  readonly good: number | null;
  /** Calls per second that the backend could take. */
  readonly capacity: number | null;
  /**
   * calls / offered; null while nothing is offered. A call counts in the interval in which it reached the backend, which may
   * be a later one than that of its request.
   */
  readonly perRequest: number | null;
  /** What `perRequest` would be under the best possible policy, with what was offered and wrong then. */
  readonly needed: number | null;
  /** Calls that wait at the backend, at the interval's end. */
  readonly waiting: number | null;
}

/** A moment worth a line in a chart. `key` (A, B, …) stands at the line; `text` is told below the chart. */
export interface Mark {
  readonly tS: number;
  readonly key: string;
  readonly text: string;
}

/** How often a tier is asked for each client request. */
export interface HopStep {
  readonly name: string;
  /** arrivals / client requests; null where there was none. */
  readonly perRequest: number | null;
  /** arrivals / arrivals at the tier above; null where there was none. */
  readonly factor: number | null;
}

export interface LatencyBand {
  readonly tS: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface LatencyDot {
  readonly tS: number;
  readonly ms: number;
  readonly ok: boolean;
}

/** Requests whose latency lies in [fromMs, toMs). */
export interface LatencyBin {
  readonly fromMs: number;
  readonly toMs: number;
  readonly ok: number;
  readonly other: number;
}

/** Requests for which the first hop made so many attempts. 0 stands for "it did not say". */
export interface AttemptBin {
  readonly attempts: number;
  readonly ok: number;
  readonly other: number;
}

export interface RunData {
  /** Unique within its page. */
  readonly label: string;
  /** Whether its numbers may be quoted; its bars are grey where not. */
  readonly valid: boolean;
  /** null, here and below, where nothing was measured. */
  readonly successRate: number | null;
  readonly amplification: number | null;
  readonly amplificationBound: number | null;
  readonly limit: { readonly successRate: number | null; readonly amplification: number | null };
  readonly p50: number | null;
  readonly p99: number | null;
  readonly clientRequests: number;
  /** Seconds after which no new request was due. */
  readonly loadEndsS: number;
  readonly storm: readonly StormPoint[];
  readonly marks: readonly Mark[];
  readonly hops: readonly HopStep[];
  readonly bands: readonly LatencyBand[];
  readonly dots: readonly LatencyDot[];
  readonly bins: readonly LatencyBin[];
  readonly attempts: readonly AttemptBin[];
}

/** A map over two varied knobs: `bin/lab sweep` and the phase diagrams. */
export interface PhaseMap {
  readonly title: string;
  /** What the map shows, in numbers. */
  readonly finding: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** What a cell's value is, such as "share that succeeded". */
  readonly valueLabel: string;
  /** Ascending limits between the colour steps; at most 5. */
  readonly thresholds: readonly number[];
  readonly cells: readonly PhaseCell[];
  /** What a cross in a cell says. */
  readonly crossedMeans?: string;
  /** Computed edges, drawn over the cells. */
  readonly edges?: readonly { readonly name: string; readonly points: readonly { x: number; y: number }[] }[];
}

export interface PhaseCell {
  readonly x: number;
  readonly y: number;
  /** null where nothing was measured. */
  readonly value: number | null;
  /** Drawn with a cross: the run did not recover, or was not valid. */
  readonly crossed?: boolean;
}

/** One defence added to, or taken from, a policy. */
export interface AblationRow {
  readonly label: string;
  /** False where one of its runs was not: it is drawn in grey. True where absent. */
  readonly valid?: boolean;
  /** Medians, with the interval's ends where repeats were made; null where nothing was measured. */
  readonly success: Interval | null;
  readonly amplification: Interval | null;
  readonly p99Ms: Interval | null;
}

export interface Interval {
  readonly median: number;
  readonly low?: number;
  readonly high?: number;
}

export interface AblationData {
  readonly title: string;
  /** What the table shows, in numbers. */
  readonly finding: string;
  readonly rows: readonly AblationRow[];
}

/** The JSON in the page, as the page's script reads it. */
export interface PageData {
  readonly runs: readonly RunData[];
  readonly maps: readonly PhaseMap[];
  readonly ablations: readonly AblationData[];
}
