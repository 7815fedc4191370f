/** One run in virtual time, as an experiment makes hundreds: no folder, no page, only what came of it. */
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { summarise } from "../../loadgen/core/summary.ts";
import type { Outcome } from "../../services/policy/outcome.ts";
import { factsOf, makeVirtual } from "../worlds/virtual/facts.ts";
import { timelineOf, type CallsUntil, type Second } from "./timeline.ts";

export interface ExperimentRun {
  readonly summary: RunSummary;
  readonly timeline: readonly Second[];
}

/** Milliseconds of virtual time between two looks at the backend's counter. */
const LOOK_EVERY_MS = 1000;

/** @param env every knob with its value @throws ConfigError */
export function makeVirtualRun(env: Readonly<Record<string, string>>): ExperimentRun {
  const records: { intendedMs: number; outcome: Outcome }[] = [];
  const made = makeVirtual(env, ({ intendedMs, outcome }) => records.push({ intendedMs, outcome }));
  const readings: CallsUntil[] = [];
  const { run, load } = made;
  while (run.advance()) {
    if (run.now < (readings.length + 1) * LOOK_EVERY_MS) continue;
    readings.push({ tS: run.now / 1000, calls: run.result().backend.arrivals });
  }
  const summary = summarise(factsOf(made, []));
  readings.push({ tS: run.now / 1000, calls: summary.backendCalls });
  return { summary, timeline: timelineOf(load.durationS, records, readings) };
}
