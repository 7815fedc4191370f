/** What experiments compare runs by. */
import type { RunSummary } from "../../loadgen/run-summary.ts";

export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly of: (run: RunSummary) => number;
  readonly text: (value: number) => string;
}

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const times = (value: number): string => `${value.toFixed(2)}x`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const count = (value: number): string => value.toFixed(0);

export const METRICS = [
  { name: "success", label: "succeeded", of: (run) => run.successRate, text: share },
  { name: "amplification", label: "amplification", of: (run) => run.amplification, text: times },
  { name: "p50", label: "p50", of: (run) => run.latencyMs.p50, text: ms },
  { name: "p99", label: "p99", of: (run) => run.latencyMs.p99, text: ms },
  { name: "goodput", label: "of what is possible", of: (run) => run.goodputOfLimit, text: share },
  { name: "calls", label: "backend calls", of: (run) => run.backendCalls, text: count },
  { name: "wasted", label: "for nobody", of: (run) => run.wastedBackendCalls, text: count },
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]["name"];

export const metricNamed = (name: string): (typeof METRICS)[number] | undefined =>
  METRICS.find((metric) => metric.name === name);
