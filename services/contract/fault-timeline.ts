/**
 * When the backend's faults change: the fault timeline.
 *
 *     timeline = step { ";" step }
 *     step     = "at" seconds "s" setting { setting }
 *     setting  = word number                              with the words of FAULTS
 *
 * For example `at 5s capacity 90 error 0.4; at 15s capacity 200 error 0`. A step changes what it names and leaves the
 * rest as it was. Seconds count from the start of the measured run.
 */
import { FAULTS, rangeOf, type FaultKey, type Faults } from "./faults.ts";

export interface FaultStep {
  readonly atMs: number;
  readonly change: Partial<Faults>;
}

/** The only notation of a number, so that "0x10" or "1e9" is a slip and not a value. */
const DECIMAL = /^\d+(\.\d+)?$/;

function parseSettings(words: string[], step: string, problems: string[]): Partial<Faults> {
  const change: Partial<Record<FaultKey, number>> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [name = "", text = ""] = words.slice(i, i + 2);
    const setting = FAULTS.find(({ word }) => word === name);
    if (setting === undefined) {
      problems.push(`"${step}": "${name}" is not a setting (${FAULTS.map(({ word }) => word).join(", ")})`);
      continue;
    }
    if (change[setting.key] !== undefined) {
      problems.push(`"${step}": ${name} is set twice`);
      continue;
    }
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (!(value >= setting.range.min && value <= setting.range.max)) {
      problems.push(`"${step}": ${name} must be ${rangeOf(setting, setting.range)}, not "${text}"`);
      continue;
    }
    change[setting.key] = value;
  }
  return change;
}

/** Parses a timeline. `problems` lists every fault in it; the steps are sorted by time. Empty text is no steps. */
export function parseTimeline(text: string): { steps: FaultStep[]; problems: string[] } {
  const problems: string[] = [];
  const steps: FaultStep[] = [];
  for (const part of text.split(";")) {
    const step = part.trim();
    if (step === "") continue;
    const match = /^at\s+(\d+(?:\.\d+)?)\s*s\s+(.+)$/.exec(step);
    if (match === null) {
      problems.push(`"${step}" must read like "at 5s capacity 90 error 0.4"`);
      continue;
    }
    const words = (match[2] ?? "").trim().split(/\s+/);
    steps.push({ atMs: Number(match[1]) * 1000, change: parseSettings(words, step, problems) });
  }
  steps.sort((a, b) => a.atMs - b.atMs);
  return { steps, problems };
}

/** Whether a timeline makes stragglers slower at some time. */
export function slowsStragglers(text: string): boolean {
  return parseTimeline(text).steps.some(({ change: { stragglerMs = 0 } }) => stragglerMs > 0);
}
