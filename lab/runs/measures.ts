/** What experiments compare runs by. */
import type { RunSummary } from "../../loadgen/core/run-summary.ts";

export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly of: (run: RunSummary) => number;
  readonly text: (value: number) => string;
}

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const times = (value: number): string => `${value.toFixed(2)}x`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const count = (value: number): string => value.toFixed(0);

export const MEASURES = [
  { name: "success", label: "succeeded", of: (run) => run.successRate, text: share },
  { name: "amplification", label: "amplification", of: (run) => run.amplification, text: times },
  { name: "p50", label: "p50", of: (run) => run.latencyMs.p50, text: ms },
  { name: "p99", label: "p99", of: (run) => run.latencyMs.p99, text: ms },
  { name: "goodput", label: "of what is possible", of: (run) => run.goodputOfLimit, text: share },
  { name: "calls", label: "backend calls", of: (run) => run.backendCalls, text: count },
  { name: "wasted", label: "for nobody", of: (run) => run.wastedBackendCalls, text: count },
] as const satisfies readonly Measure[];

export type MeasureName = (typeof MEASURES)[number]["name"];

export const measureNamed = (name: string): (typeof MEASURES)[number] | undefined =>
  MEASURES.find((metric) => metric.name === name);
