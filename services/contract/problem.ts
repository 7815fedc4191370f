/** The body of an answer that is not 2xx (RFC 9457); http/problem.ts writes it. */
import { STOP_REASONS, type Outcome, type StopReason } from "../policy/outcome.ts";

export const PROBLEM_TYPE = "application/problem+json";

export interface Problem {
  readonly outcome: Outcome;
  readonly stop?: StopReason | undefined;
  /** What is wrong and what to do about it, for a person. */
  readonly detail?: string;
}

function isStopReason(value: unknown): value is StopReason {
  return STOP_REASONS.some((reason) => reason === value);
}

/** The `stop` member of a problem, where there is a known one. */
export function stopOfProblem(text: string): StopReason | undefined {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== "object" || problem === null || !("stop" in problem)) return undefined;
    return isStopReason(problem.stop) ? problem.stop : undefined;
  } catch {
    return undefined; // A proxy's own error page is as good an answer as any: it just says no reason.
  }
}
