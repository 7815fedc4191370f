/**
 * What is wrong with the backend, and when: the fault timeline.
 *
 *     timeline = step { ";" step }
 *     step     = "at" seconds "s" setting { setting }
 *     setting  = ("capacity" | "error" | "latency" | "straggler") number
 *
 * For example `at 5s capacity 90 error 0.4; at 15s capacity 200 error 0`. A step changes what it names and leaves the
 * rest as it was. Seconds count from the start of the measured run.
 */

/** What can be changed while the backend runs. */
export interface Faults {
  /** Calls per second that the throttle lets through; more than 0. */
  readonly capacity: number;
  /** Share of the served calls that fail, 0 to 1. */
  readonly errorRate: number;
  /** Milliseconds of service time, once a call has its token; 0 or more. */
  readonly latencyMs: number;
  /** Milliseconds that a straggling call takes longer: luck picks it, or the slow replica serves it. 0 where absent. */
  readonly stragglerMs?: number;
}

export interface FaultStep {
  readonly atMs: number;
  readonly change: Partial<Faults>;
}

const SETTINGS: Record<string, { key: keyof Faults; min: number; max: number; rule: string }> = {
  capacity: { key: "capacity", min: 0.001, max: 100_000, rule: "0.001 to 100000 calls per second" },
  error: { key: "errorRate", min: 0, max: 1, rule: "0 to 1" },
  latency: { key: "latencyMs", min: 0, max: 600_000, rule: "0 to 600000 milliseconds" },
  straggler: { key: "stragglerMs", min: 0, max: 600_000, rule: "0 to 600000 milliseconds" },
};

/** The only notation of a number, so that "0x10" or "1e9" is a slip and not a value. */
const DECIMAL = /^\d+(\.\d+)?$/;

function parseSettings(words: string[], step: string, problems: string[]): Partial<Faults> {
  const change: Partial<Record<keyof Faults, number>> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [name = "", text = ""] = words.slice(i, i + 2);
    const setting = SETTINGS[name];
    if (setting === undefined) {
      problems.push(`"${step}": "${name}" is not a setting (${Object.keys(SETTINGS).join(", ")})`);
      continue;
    }
    if (change[setting.key] !== undefined) {
      problems.push(`"${step}": ${name} is set twice`);
      continue;
    }
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (!(value >= setting.min && value <= setting.max)) {
      problems.push(`"${step}": ${name} must be ${setting.rule}, not "${text}"`);
      continue;
    }
    change[setting.key] = value;
  }
  return change;
}

/** Checks one change of faults, as `PUT /faults` and the timeline both need it. All problems at once; none = valid. */
export function problemsOf(change: Partial<Record<keyof Faults, unknown>>): string[] {
  const problems: string[] = [];
  for (const { key, min, max, rule } of Object.values(SETTINGS)) {
    const value = change[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= min && value <= max)) {
      problems.push(`${key} must be ${rule}, not ${JSON.stringify(value)}`);
    }
  }
  return problems;
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
