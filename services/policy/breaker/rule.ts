/**
 * When failures are too many: the rule that opens a circuit breaker, apart from the breaker itself.
 *
 *     consecutive    `failures` calls in a row have failed
 *     rate           of at least `minCalls` calls in the last W seconds, a share of `share` or more has failed
 *
 * "In a row" opens quickly on a dead callee and never on one that fails half of the time. "Rate" sees that one too, and
 * needs some calls before it judges: without `minCalls` the first failure of a quiet service would be 100 %.
 *
 * The window is ten slices; what counts is the current one and the nine before it, computed from `now`.
 *
 * Sources: M. Nygard, "Release It!", ch. 5; resilience4j (COUNT and TIME based windows).
 */

export const BREAKER_RULES = ["consecutive", "rate"] as const;

export type BreakerRule =
  | {
      readonly kind: "consecutive";
      /** Failures in a row that open the breaker; 1 or more. */
      readonly failures: number;
    }
  | {
      readonly kind: "rate";
      /** Share of failed calls that opens the breaker; more than 0, at most 1. */
      readonly share: number;
      /** Calls in the window below which nothing is judged; 1 or more. */
      readonly minCalls: number;
      /** Length of the window in milliseconds; more than 0. */
      readonly windowMs: number;
    };

/** What happened in one slice of the window. */
interface Slice {
  /** The slice's number: its time divided by the length of a slice. */
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
}

/** What a rule remembers: failures in a row, or the slices of its window, at most ten, oldest first. */
export interface RuleMemory {
  readonly inARow: number;
  readonly slices: readonly Slice[];
}

export const NO_CALLS_YET: RuleMemory = { inARow: 0, slices: [] };

const SLICES = 10;

function noted(slices: readonly Slice[], failed: boolean, at: number): Slice[] {
  const recent = slices.filter((slice) => slice.at > at - SLICES);
  const last = recent.at(-1);
  const current = last !== undefined && last.at >= at ? last : undefined;
  if (current !== undefined) recent.pop();
  const { calls, failures } = current ?? { calls: 0, failures: 0 };
  recent.push({ at: current?.at ?? at, calls: calls + 1, failures: failures + (failed ? 1 : 0) });
  return recent;
}

/** The memory after one more call has ended at `now`. */
export function note(rule: BreakerRule, memory: RuleMemory, failed: boolean, now: number): RuleMemory {
  if (rule.kind === "consecutive") return { ...memory, inARow: failed ? memory.inARow + 1 : 0 };
  const at = Math.floor((now / rule.windowMs) * SLICES);
  return { ...memory, slices: noted(memory.slices, failed, at) };
}

/** Whether what was noted up to now is too much. Asked after a failure. */
export function trips(rule: BreakerRule, { inARow, slices }: RuleMemory): boolean {
  if (rule.kind === "consecutive") return inARow >= rule.failures;
  let [calls, failures] = [0, 0];
  for (const slice of slices) {
    calls += slice.calls;
    failures += slice.failures;
  }
  return calls >= rule.minCalls && failures >= rule.share * calls;
}
