/**
 * Recovers, or stays down: the verdict on one run with a trigger that goes away.
 *
 *     baseline healthy → triggered → trigger removed → healthy again, and when
 *                                                    → still bad after the patience: metastable
 *
 * Healthy means that at least 95 % of the requests that were due in each phase of two seconds were answered well. A
 * run whose baseline is not healthy, or that the trigger did not harm, says nothing about recovery, and the verdict
 * says so instead of counting it as either. Nor does one in which no request was due before the trigger, or after the
 * patience: nobody was there to see it.
 *
 * Source: N. Bronson et al., "Metastable Failures in Distributed Systems", HotOS 2021: a metastable failure goes on
 * after its trigger is gone, since the failure itself feeds it. Here that is the retries.
 */
import { ratioOf } from "../../loadgen/core/ratio.ts";
import { phase, successOf, type Second } from "./timeline.ts";

/** Share of good answers from which a phase is healthy. */
export const HEALTHY_SHARE = 0.95;

/** Length of a phase in seconds: long enough that a single request decides nothing. */
const PHASE_S = 2;

/** Requests that were due so shortly before the trigger may still be under way when it comes: they are no baseline. */
const GUARD_S = 2;

export interface Window {
  /** Whole seconds from the start of the run. */
  readonly triggeredS: number;
  readonly removedS: number;
  /** Seconds after the removal until which the chain may take to be healthy again. */
  readonly patienceS: number;
  /** The end of what is judged; at least removedS + patienceS. */
  readonly endS: number;
}

export type Recovery =
  | { readonly kind: "unmeasured" }
  | { readonly kind: "never-healthy" }
  | { readonly kind: "unharmed" }
  | { readonly kind: "recovers"; readonly afterS: number }
  | { readonly kind: "metastable" };

export interface TriggerVerdict {
  readonly recovery: Recovery;
  /** Shares of good answers, 0 to 1: before the trigger, while it lasted, and after the patience. null: none was due. */
  readonly success: Readonly<Record<"before" | "during" | "late", number | null>>;
  /** Backend calls for each client request after the patience; null where none was due. */
  readonly lateAmplification: number | null;
}

/** A phase in which nothing was due speaks neither for nor against it. */
function isHealthy(timeline: readonly Second[], fromS: number): boolean {
  return (successOf(phase(timeline, fromS, fromS + PHASE_S)) ?? 1) >= HEALTHY_SHARE;
}

/** Seconds from `fromS` until every phase up to `endS` is healthy; Infinity where the last one is not, or none has requests. */
export function healthyAfter(timeline: readonly Second[], fromS: number, endS: number): number {
  if (phase(timeline, fromS, endS).due === 0) return Infinity;
  for (let s = endS - PHASE_S; s >= fromS; s -= 1) {
    if (isHealthy(timeline, s)) continue;
    return s === endS - PHASE_S ? Infinity : s + 1 - fromS;
  }
  return 0;
}

function recoveryOf(timeline: readonly Second[], { triggeredS, removedS, patienceS, endS }: Window): Recovery {
  const seen = [phase(timeline, 0, triggeredS - GUARD_S), phase(timeline, removedS + patienceS, endS)];
  if (seen.some(({ due }) => due === 0)) return { kind: "unmeasured" };
  if (healthyAfter(timeline, 0, triggeredS - GUARD_S) > 1) return { kind: "never-healthy" };
  const afterS = healthyAfter(timeline, removedS, endS);
  if (afterS > patienceS) return { kind: "metastable" };
  const wasHarmed = (successOf(phase(timeline, triggeredS, removedS)) ?? 1) < HEALTHY_SHARE || afterS > 0;
  return wasHarmed ? { kind: "recovers", afterS } : { kind: "unharmed" };
}

export function verdictOn(timeline: readonly Second[], window: Window): TriggerVerdict {
  const { triggeredS, removedS, patienceS, endS } = window;
  const late = phase(timeline, removedS + patienceS, endS);
  return {
    recovery: recoveryOf(timeline, window),
    success: {
      before: successOf(phase(timeline, 0, triggeredS - GUARD_S)),
      during: successOf(phase(timeline, triggeredS, removedS)),
      late: successOf(late),
    },
    lateAmplification: ratioOf(late.calls, late.due),
  };
}
