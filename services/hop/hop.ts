/**
 * What edge and api both are: a hop that turns one logical request into one or more attempts at its upstream.
 *
 * The hop holds what all its requests share (the budget and the breaker), and `call.ts` holds one request from arrival to answer. It
 * knows nothing of HTTP: `send` is injected, over the wire or in virtual time.
 */
import { createBudget, type Budget } from "../policy/budget.ts";
import type { Cancel, Clock, Rng } from "../policy/clock.ts";
import { Hedger } from "../policy/hedge.ts";
import type { RetryPolicy } from "../policy/policy.ts";
import { Replicas } from "../policy/replicas.ts";
import { Admission } from "./admission.ts";
import { admit } from "./admit.ts";
import { Call } from "./call.ts";
import { createCircuit, type Circuit, type CircuitState } from "./circuit.ts";
import type { HopReply, HopRequest, HopWatch, Send } from "./request.ts";

export interface HopParts {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly send: Send;
  /** The luck of one incoming request: jitter. Keyed by the request, so that two policies meet the same luck. */
  readonly rngFor: (request: HopRequest) => Rng;
  readonly watch?: HopWatch;
  /** Shared with other instances of this hop. Absent: one of its own, as the policy says. */
  readonly budget?: Budget | undefined;
}

export interface Hop {
  /** Answers `request` through `done`, exactly once. The returned `Cancel` says that the caller has gone away. */
  handle(request: HopRequest, done: (reply: HopReply) => void): Cancel;
  /** Retries that the budget would allow now. */
  budgetBalance(): number;
  /** The breaker's state; "closed" where there is none. */
  breakerState(): CircuitState;
  /** Requests that wait to be taken on; 0 where the hop takes on everything. */
  waiting(): number;
}

/** Shared by all calls of one hop. */
export interface HopState extends HopParts {
  readonly budget: Budget;
  readonly circuit: Circuit;
  /** Absent where the upstream has one replica, or chooses by itself. */
  readonly replicas: Replicas | undefined;
  /** Absent where nothing is hedged. */
  readonly hedger: Hedger | undefined;
}

function stateOf(parts: HopParts): HopState {
  const { clock, policy } = parts;
  const { replicas = 1, hedge } = policy;
  const now = clock.now();
  return {
    ...parts,
    budget: parts.budget ?? createBudget(policy.budget, now),
    circuit: createCircuit(policy.breaker),
    replicas: replicas > 1 ? new Replicas(replicas) : undefined,
    hedger: replicas > 1 && hedge !== undefined ? new Hedger(hedge, now) : undefined,
  };
}

export function createHop(parts: HopParts): Hop {
  const { clock } = parts;
  const state = stateOf(parts);
  const { admission: door } = parts.policy;
  const admission = door === undefined ? undefined : new Admission(door, clock);
  return {
    handle(request, done) {
      state.watch?.arrived?.(request);
      if (admission !== undefined) return admit(state, admission, request, done);
      const call = new Call(state, request, done);
      call.begin();
      return () => call.abandon();
    },
    budgetBalance: () => state.budget.balance(clock.now()),
    breakerState: () => state.circuit.state,
    waiting: () => admission?.waiting ?? 0,
  };
}
