/**
 * What edge and api both are: a hop that turns one logical request into one or more attempts at its upstream.
 *
 * `state.ts` holds what all its requests share (the budget and the breaker), and `retry-loop.ts` one request from
 * arrival to answer. It knows nothing of HTTP: `send` is injected, over the wire or in virtual time.
 */
import type { HopDone, HopRequest } from "../../contract/request.ts";
import type { Cancel } from "../../policy/clock.ts";
import { admit } from "./admit.ts";
import { Call } from "./retry-loop.ts";
import type { CircuitState } from "./circuit.ts";
import { createHopState, type HopParts } from "./state.ts";

export interface Hop {
  /** Answers `request` through `done`, exactly once. The returned `Cancel` says that the caller has gone away. */
  handle(request: HopRequest, done: HopDone): Cancel;
  /** Retries that the budget would allow now. */
  budgetBalance(): number;
  /** The breaker's state; "closed" where there is none. */
  breakerState(): CircuitState;
  /** Requests that wait to be taken on; 0 where the hop takes on everything. */
  waiting(): number;
}

export function createHop(parts: HopParts): Hop {
  const { clock } = parts;
  const state = createHopState(parts);
  const { admission } = state;
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
