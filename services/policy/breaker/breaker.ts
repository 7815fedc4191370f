/**
 * Leave a callee alone that does nothing but fail, and ask again carefully.
 *
 *     closed ──the rule trips──▶ open ──cool-off over, next call──▶ half-open ──k probes succeed──▶ closed
 *                                 ▲                                    │
 *                                 └────────────one probe fails─────────┘
 *
 *     cool-off = coolOffMs · U(1, 1.5): never shorter than asked, and not the same for everybody
 *
 * A budget bounds the retries; a breaker also spares the callee the first attempts, and the caller the wait. It is the
 * cruder tool: it refuses calls that would have succeeded. Half-open lets exactly k calls through and fails the others
 * fast: one that opened for all of them would be hit by the whole load again (resilience4j#343).
 *
 * Probes may take longer than the cool-off. After it k more are sent, so that lost ones lock nobody out, and what the
 * earlier ones bring still counts: a success is one, and a failure makes the count of successes begin again. Only a
 * failure among the probes sent last opens the breaker again: of the others it is old news, and newer ones are under way.
 * So a callee that has mended is found at most two latencies and one and a half cool-offs later, however slow it is.
 *
 * A shed reply is neither failure nor success: the callee is alive and already defends itself, and a breaker that opens
 * on it would turn "a little too much" into an outage. A bare 503, without a word on when to return, is a failure.
 *
 * The state is plain data and the transition a pure function of (state, event, now): no timer, nothing to stop.
 *
 * Sources: M. Nygard, "Release It!", ch. 5; M. Fowler, "CircuitBreaker", 2014; resilience4j.
 */
import { NO_CALLS_YET, note, trips, type BreakerRule, type RuleMemory } from "./rule.ts";
import type { Rng } from "../clock.ts";
import type { Reply } from "../outcome.ts";

export interface BreakerPolicy {
  readonly rule: BreakerRule;
  /** The least time that an open breaker stays open, in milliseconds; more than 0. */
  readonly coolOffMs: number;
  /** Calls that a half-open breaker lets through, all of which must succeed; 1 or more. */
  readonly probes: number;
}

/**
 * `round` rises with each change of state, and with each group of probes. A call that was let through before the state
 * that now holds says nothing about it.
 */
export type BreakerState =
  | { readonly kind: "closed"; readonly round: number; readonly memory: RuleMemory }
  | { readonly kind: "open"; readonly round: number; readonly untilMs: number }
  | {
      readonly kind: "half-open";
      /** Of the probes that were sent last. */
      readonly round: number;
      /** Of the probes that were sent first, since the breaker was open. */
      readonly since: number;
      /** Probes that may still be sent. */
      readonly toSend: number;
      /** Probes that must still succeed. */
      readonly toSucceed: number;
      /** When further probes may be sent beside those that have not come back. */
      readonly untilMs: number;
    };

export type BreakerEvent =
  /** A call is let through, `admits` having allowed it. */
  | { readonly kind: "begun" }
  /** A call that was let through in `round` has ended. */
  | { readonly kind: "ended"; readonly round: number; readonly verdict: CallVerdict };

/** What a call says about its callee's health. */
export type CallVerdict = "success" | "failure" | "neither";

export const CLOSED: BreakerState = { kind: "closed", round: 0, memory: NO_CALLS_YET };

/** Whether a call may be let through at `now`. */
export function admits(state: BreakerState, now: number): boolean {
  if (state.kind === "closed") return true;
  return now >= state.untilMs || (state.kind === "half-open" && state.toSend > 0);
}

function open({ coolOffMs }: BreakerPolicy, round: number, now: number, rng: Rng): BreakerState {
  return { kind: "open", round, untilMs: now + coolOffMs * (1 + rng() / 2) };
}

function begun(policy: BreakerPolicy, state: BreakerState, now: number): BreakerState {
  if (state.kind === "closed") return state;
  if (now >= state.untilMs) {
    const { probes, coolOffMs } = policy;
    const round = state.round + 1;
    const [since, toSucceed] = state.kind === "half-open" ? [state.since, state.toSucceed] : [round, probes];
    return { kind: "half-open", round, since, toSend: probes - 1, toSucceed, untilMs: now + coolOffMs };
  }
  if (state.kind === "half-open" && state.toSend > 0) return { ...state, toSend: state.toSend - 1 };
  return state;
}

/** A call has ended while the breaker is half-open. */
function probeEnded(
  policy: BreakerPolicy,
  state: BreakerState & { readonly kind: "half-open" },
  { round, verdict }: BreakerEvent & { readonly kind: "ended" },
  now: number,
  rng: Rng,
): BreakerState {
  const isNewest = round === state.round;
  if (round < state.since) return state;
  if (verdict === "neither") return isNewest ? { ...state, toSend: state.toSend + 1 } : state;
  if (verdict === "failure") {
    if (isNewest) return open(policy, state.round + 1, now, rng);
    return state.toSucceed === policy.probes ? state : { ...state, toSucceed: policy.probes };
  }
  if (state.toSucceed > 1) return { ...state, toSucceed: state.toSucceed - 1 };
  return { kind: "closed", round: state.round + 1, memory: NO_CALLS_YET };
}

/**
 * The state after `event` at `now`. The same object where nothing changes.
 * @param rng draws the cool-off, and is asked only where the breaker opens
 */
export function step(
  policy: BreakerPolicy,
  state: BreakerState,
  event: BreakerEvent,
  now: number,
  rng: Rng,
): BreakerState {
  if (event.kind === "begun") return begun(policy, state, now);
  const { verdict, round } = event;
  if (state.kind === "half-open") return probeEnded(policy, state, event, now, rng);
  if (round !== state.round || state.kind === "open") return state;
  if (verdict === "neither") return state;
  const memory = note(policy.rule, state.memory, verdict === "failure", now);
  if (verdict === "failure" && trips(policy.rule, memory)) return open(policy, round + 1, now, rng);
  return { ...state, memory };
}

/** True for a refusal by choice: 429, or a 503 that says when to return or that nobody should retry. */
function isShed({ outcome, status, retryAfterMs, doNotRetry }: Reply): boolean {
  return outcome === "overloaded" && (status === 429 || retryAfterMs !== undefined || doNotRetry === true);
}

/**
 * What `reply` says about the callee. A caller who left says nothing; a refusal of the caller's own fault is healthy.
 */
export function verdictOf(reply: Reply): CallVerdict {
  // 409: the callee is at work on an earlier attempt.
  if (reply.outcome === "ok" || reply.outcome === "rejected" || reply.status === 409) return "success";
  return reply.outcome === "cancelled" || isShed(reply) ? "neither" : "failure";
}
