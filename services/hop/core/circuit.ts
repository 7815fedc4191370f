/** The circuit breaker of one upstream: holds the state that `policy/breaker/breaker.ts` computes. */
import {
  admits,
  CLOSED,
  step,
  verdictOf,
  type BreakerPolicy,
  type BreakerState,
} from "../../policy/breaker/breaker.ts";
import type { Rng } from "../../policy/clock.ts";
import type { Reply } from "../../policy/outcome.ts";

export type CircuitState = BreakerState["kind"];
export const CIRCUIT_STATES = ["closed", "open", "half-open"] as const satisfies readonly CircuitState[];

export interface Circuit {
  readonly state: CircuitState;
  /** Lets a call through and returns the number to end it with, or undefined: fail fast. */
  begin(now: number, rng: Rng): number | undefined;
  /** Every call that was let through ends here once, also one whose caller has left. */
  end(ticket: number, reply: Reply, now: number, rng: Rng): void;
  /** Milliseconds from `now` until an open breaker lets a call through; undefined where it is not open. */
  coolOffLeftMs(now: number): number | undefined;
}

/** Lets everything through. */
const noBreaker: Circuit = {
  state: "closed",
  begin: () => 0,
  end: () => {},
  coolOffLeftMs: () => undefined,
};

class BreakerCircuit implements Circuit {
  private readonly policy: BreakerPolicy;
  private current: BreakerState = CLOSED;

  constructor(policy: BreakerPolicy) {
    this.policy = policy;
  }

  get state(): CircuitState {
    return this.current.kind;
  }

  begin(now: number, rng: Rng): number | undefined {
    if (!admits(this.current, now)) return undefined;
    this.current = step(this.policy, this.current, { kind: "begun" }, now, rng);
    return this.current.round;
  }

  end(round: number, reply: Reply, now: number, rng: Rng): void {
    const event = { kind: "ended", round, verdict: verdictOf(reply) } as const;
    this.current = step(this.policy, this.current, event, now, rng);
  }

  coolOffLeftMs(now: number): number | undefined {
    return this.current.kind === "open" ? Math.max(0, this.current.untilMs - now) : undefined;
  }
}

export function createCircuit(policy: BreakerPolicy | undefined): Circuit {
  return policy === undefined ? noBreaker : new BreakerCircuit(policy);
}
