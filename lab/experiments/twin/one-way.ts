/**
 * The one-way latency of the link between two programs on this machine.
 *
 * That is no prediction but an input, as the capacity is: it depends on processor, kernel and Node alone. So it is taken
 * from a run of its own, which is not judged: light load, no errors, hence no retry and no queue. What its requests take
 * longer than in a model whose links take no time is shared out among the links. It holds everything that the model has no part
 * for: connection, event loop, timers that fire on the next whole millisecond.
 */
import { rounded } from "../../../loadgen/core/format.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { ExperimentContext } from "../../runs/context.ts";

export interface OneWay {
  readonly ms: number;
  /** "invalid": the run that was to measure it came out INVALID, so it is the model's own. */
  readonly from: "measured" | "given" | "model" | "invalid";
}

/** Long enough for a steady median. */
const LASTS_S = "6";

/** Of the capacity: beyond it a queue builds up by chance, and a median would hold waiting. */
const LIGHT_SHARE = 2 / 3;

/** The settings of the run that is measured. @param rate requests a second otherwise @param capacity calls a second */
export function oneWaySettings(rate: number, capacity: number): Record<string, string> {
  const light = Math.min(rate, LIGHT_SHARE * capacity);
  return {
    SCENARIO: "way",
    RATE: String(Math.max(0.1, Math.floor(10 * light) / 10)),
    RATE_PROFILE: "",
    ERROR_RATE: "0",
    FAULT_TIMELINE: "",
    DURATION_S: LASTS_S,
  };
}

/** @param instant the same run in virtual time with links of 0 ms @param hops tiers between client and backend */
export function oneWayFrom(measured: RunSummary, instant: RunSummary, hops: number): OneWay {
  const links = 2 * (hops + 1);
  const ms = ((measured.latencyMs.p50 ?? 0) - (instant.latencyMs.p50 ?? 0)) / links;
  return { ms: Math.max(0, rounded(ms, 2)), from: "measured" };
}

/** The one-way latency without a measurement: the user's own, or the model's. */
export function givenOneWay({ valueOf, typed }: ExperimentContext): OneWay {
  const ms = Number(valueOf("ONE_WAY_MS"));
  return { ms, from: typed.includes("ONE_WAY_MS") ? "given" : "model" };
}

/** In words. @param modelMs what the model has where nothing is measured */
export function oneWayText({ ms, from }: OneWay, modelMs: number): string {
  const source = {
    measured: `measured first, without errors and at light load; the model's own is ${modelMs} ms`,
    given: "as ONE_WAY_MS says",
    model: "the model's own; ONE_WAY_MS sets another",
    invalid: "the model's own, since the run that was to measure it came out INVALID",
  }[from];
  return `One-way latency between two programs: ${ms} ms (${source}).`;
}
