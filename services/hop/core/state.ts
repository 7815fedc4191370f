/** What all requests of one hop share: its policy, its budget, its breaker, and who looks on. */
import { Admission } from "./admission.ts";
import { createBudget, type Budget } from "../../policy/budget/budget.ts";
import type { Clock, Rng } from "../../policy/clock.ts";
import { Hedger } from "../../policy/hedge/hedge.ts";
import type { RetryPolicy } from "../../policy/retry-policy.ts";
import { Replicas } from "../../policy/replica-choice.ts";
import { createCircuit, type Circuit } from "./circuit.ts";
import type { HopRequest, HopWatch, Send } from "../../contract/request.ts";

export interface HopParts {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly send: Send;
  /**
   * The random numbers of one incoming request, for jitter. Keyed by the request, so that two policies draw the same.
   */
  readonly rngFor: (request: HopRequest) => Rng;
  readonly watch?: HopWatch;
  /** Shared with other instances of this hop. Absent: one of its own, as the policy says. */
  readonly budget?: Budget | undefined;
}

/** Shared by all calls of one hop. */
export interface HopState extends HopParts {
  readonly budget: Budget;
  readonly circuit: Circuit;
  /** Absent where the upstream has one replica, or chooses by itself. */
  readonly replicas: Replicas | undefined;
  /** Absent where nothing is hedged. */
  readonly hedger: Hedger | undefined;
  /** Absent where the hop takes on everything. */
  readonly admission: Admission | undefined;
}

/** The state of a hop that has not seen a request yet. */
export function createHopState(parts: HopParts): HopState {
  const { clock, policy } = parts;
  const { replicas = 1, hedge, admission } = policy;
  const now = clock.now();
  return {
    ...parts,
    budget: parts.budget ?? createBudget(policy.budget, now),
    circuit: createCircuit(policy.breaker),
    replicas: replicas > 1 ? new Replicas(replicas) : undefined,
    hedger: replicas > 1 && hedge !== undefined ? new Hedger(hedge, now) : undefined,
    admission: admission === undefined ? undefined : new Admission(admission, clock),
  };
}
