/** What experiments compare runs by. */
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { ratioOf } from "../../loadgen/core/ratio.ts";
import { count, duration, percent, points, signed, times } from "../../loadgen/core/format.ts";

export interface Measure {
  readonly name: string;
  readonly label: string;
  /** null where the run measured nothing to take it of. */
  readonly of: (run: RunSummary) => number | null;
  readonly text: (value: number) => string;
  /** A difference of two, with its sign: of two shares in points. */
  readonly differenceText: (difference: number) => string;
}

/** Refused at once, without work: by the backend, and by each hop that does so. */
const shedOf = ({ backend, tiers }: RunSummary): number =>
  Object.values(tiers).reduce((sum, { stopReasons }) => sum + (stopReasons.shed ?? 0), backend.shed);

const wastedShareOf = ({ wastedBackendCalls, backendCalls }: RunSummary): number | null =>
  ratioOf(wastedBackendCalls, backendCalls);

export const MEASURES = [
  { name: "success", label: "succeeded", of: (run) => run.successRate, text: percent, differenceText: signed(points) },
  {
    name: "amplification",
    label: "amplification",
    of: (run) => run.amplification,
    text: times,
    differenceText: signed(times),
  },
  { name: "p50", label: "p50", of: (run) => run.latencyMs.p50, text: duration, differenceText: signed(duration) },
  { name: "p99", label: "p99", of: (run) => run.latencyMs.p99, text: duration, differenceText: signed(duration) },
  {
    name: "goodput",
    label: "of the limit",
    of: (run) => run.goodputOfLimit,
    text: percent,
    differenceText: signed(points),
  },
  { name: "calls", label: "backend calls", of: (run) => run.backendCalls, text: count, differenceText: signed(count) },
  { name: "wasted", label: "wasted", of: (run) => run.wastedBackendCalls, text: count, differenceText: signed(count) },
  {
    name: "wastedShare",
    label: "wasted, of the calls",
    of: wastedShareOf,
    text: percent,
    differenceText: signed(points),
  },
  { name: "shed", label: "shed", of: shedOf, text: count, differenceText: signed(count) },
] as const satisfies readonly Measure[];

export type MeasureName = (typeof MEASURES)[number]["name"];

export const MEASURE_NAMES: readonly MeasureName[] = MEASURES.map(({ name }) => name);

export const isMeasureName = (name: string): name is MeasureName => MEASURES.some((one) => one.name === name);

export const measureNamed = (name: MeasureName): Measure => MEASURES[MEASURE_NAMES.indexOf(name)] as Measure;
