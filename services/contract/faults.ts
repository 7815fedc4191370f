/**
 * What can be wrong with the backend: every fault once. The knobs, the fault timeline, `PUT /faults`, the live page and
 * the report read this table. Where a fault acts is in services/backend/core.
 */

interface FaultRow {
  /** What the programs and `PUT /faults` call it. */
  readonly key: string;
  /** What a timeline calls it. */
  readonly word: string;
  /** What it is at the start of a run. */
  readonly knob: string;
  readonly default: number;
  /** The unit is that of the knob. */
  readonly range: { readonly min: number; readonly max: number; readonly unit: string };
  /** What the number counts, in messages about timelines and `PUT /faults`; empty for a share. */
  readonly measure: string;
  readonly doc: string;
  /** True where 0 is no fault at all: it may be absent then. */
  readonly optional?: true;
  /** True where it is milliseconds by which a call takes longer. */
  readonly slows?: true;
  /** True where people read it in percent. */
  readonly percent?: true;
  /** A change of it in words. @param shown the new value for people: "90", or "40 %" where `percent` says so */
  readonly text: (shown: string) => string;
  /** Its input on the live page; absent where the page has none. The range is in the programs' unit. */
  readonly live?: {
    readonly label: string;
    readonly unit: string;
    readonly min: number;
    readonly max: number;
  };
}

export const FAULTS = [
  {
    key: "capacity",
    word: "capacity",
    knob: "CAPACITY",
    default: 90,
    range: { min: 0.001, max: 100_000, unit: "calls per second" },
    measure: "calls per second",
    doc: "Calls that the backend's throttle lets through.",
    text: (shown) => `capacity ${shown}/s`,
    live: { label: "capacity", unit: "/s", min: 1, max: 10_000 },
  },
  {
    key: "errorRate",
    word: "error",
    knob: "ERROR_RATE",
    default: 0.4,
    range: { min: 0, max: 1, unit: "of the served calls" },
    measure: "",
    doc: "Share of the served calls that fail.",
    percent: true,
    text: (shown) => `errors ${shown}`,
    live: { label: "errors", unit: "%", min: 0, max: 1 },
  },
  {
    key: "latencyMs",
    word: "latency",
    knob: "LATENCY_MS",
    default: 8,
    range: { min: 0, max: 600_000, unit: "ms" },
    measure: "milliseconds",
    doc: "Time that the backend works on a call, once it may begin.",
    slows: true,
    text: (shown) => `latency ${shown} ms`,
  },
  {
    key: "stragglerMs",
    word: "straggler",
    knob: "STRAGGLER_MS",
    default: 0,
    range: { min: 0, max: 600_000, unit: "ms" },
    measure: "milliseconds",
    doc: "How much longer a straggling call takes.",
    optional: true,
    slows: true,
    text: (shown) => `stragglers ${shown} ms slower`,
  },
] as const satisfies readonly FaultRow[];

export type Fault = (typeof FAULTS)[number];
export type FaultKey = Fault["key"];
type OptionalKey = Extract<Fault, { readonly optional: true }>["key"];

/** The faults that hold at a moment, by their keys. */
export type Faults = { readonly [Key in Exclude<FaultKey, OptionalKey>]: number } & {
  readonly [Key in OptionalKey]?: number;
};

/** Those that the live page has an input for. */
export type LiveFault = Extract<Fault, { readonly live: object }>;
export const LIVE_FAULTS: readonly LiveFault[] = FAULTS.filter((fault): fault is LiveFault => "live" in fault);

/** A value for each fault of a list. */
export function faultsBy<Listed extends Fault>(
  listed: readonly Listed[],
  valueOf: (fault: Listed) => number,
): Record<Listed["key"], number> {
  const entries = listed.map((fault) => [fault.key, valueOf(fault)] as const);
  return Object.fromEntries(entries) as Record<Listed["key"], number>;
}

/** The faults among what else a backend is made from; those that may be absent and are 0 are left out. */
export function faultsIn(config: Faults): Faults {
  const isLeftOut = (fault: Fault): boolean => "optional" in fault && (config[fault.key] ?? 0) === 0;
  const present = FAULTS.filter((fault) => !isLeftOut(fault));
  return faultsBy<Fault>(present, ({ key }) => config[key] ?? 0);
}

/** The longest that a call can take once it may begin, in milliseconds. */
export function longestServiceMs(faults: Faults): number {
  return FAULTS.reduce((sum, fault) => sum + ("slows" in fault ? (faults[fault.key] ?? 0) : 0), 0);
}

/** Completes "it must be …". */
export function rangeOf({ measure }: Fault, { min, max }: { readonly min: number; readonly max: number }): string {
  return `${min} to ${max} ${measure}`.trim();
}

/** Checks one change of faults, as `PUT /faults` and the timeline both need it. All problems at once; none = valid. */
export function problemsOf(change: Partial<Record<FaultKey, unknown>>): string[] {
  return FAULTS.flatMap((fault) => {
    const value = change[fault.key];
    const isRight = typeof value === "number" && value >= fault.range.min && value <= fault.range.max;
    if (value === undefined || isRight) return [];
    return [`${fault.key} must be ${rangeOf(fault, fault.range)}, not ${JSON.stringify(value)}`];
  });
}
