/**
 * How the offered rate changes during a run: the rate profile.
 *
 *     profile = step { ";" step }
 *     step    = ("at" | "by") seconds "s" "rate" number
 *
 * For example `at 5s rate 120; by 20s rate 200`: "at" changes the rate from then on, "by" changes it in a straight line
 * from the step before, so that it is reached at that time. Seconds count from the start of the measured run.
 */

export interface RateStep {
  /** Seconds from the start of the run; 0 or more. */
  readonly atS: number;
  /** Requests per second from then on; 0 or more. */
  readonly rate: number;
  /** True: reached in a straight line from the step before ("by"). */
  readonly ramp: boolean;
}

/** The same limit as that of RATE. */
const HIGHEST_RATE = 100_000;

const STEP = /^(at|by)\s+(\d+(?:\.\d+)?)\s*s\s+rate\s+(\d+(?:\.\d+)?)$/;

function parseStep(step: string): RateStep | string {
  const match = STEP.exec(step);
  if (match === null) return `"${step}" must read like "at 5s rate 120" or "by 20s rate 200"`;
  const rate = Number(match[3]);
  if (rate > HIGHEST_RATE) {
    return `"${step}": rate must be 0 to ${HIGHEST_RATE} requests per second, not "${match[3]}"`;
  }
  return { atS: Number(match[2]), rate, ramp: match[1] === "by" };
}

/**
 * Parses a profile. `problems` lists every fault in it; the steps must stand in order of time. Empty text is no steps.
 */
export function parseProfile(text: string): { steps: RateStep[]; problems: string[] } {
  const steps: RateStep[] = [];
  const problems: string[] = [];
  for (const part of text.split(";")) {
    const step = part.trim();
    if (step === "") continue;
    const parsed = parseStep(step);
    if (typeof parsed === "string") {
      problems.push(parsed);
      continue;
    }
    const before = steps.at(-1)?.atS ?? 0;
    if (parsed.atS < before) problems.push(`"${step}": it stands after a step at ${before}s; put it before`);
    steps.push(parsed);
  }
  return { steps, problems };
}
