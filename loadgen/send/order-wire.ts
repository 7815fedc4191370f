/** What the client writes on an order and reads from its answer (docs/contracts.md), whoever sends it. */
import { ATTEMPT_COUNT, IDEMPOTENCY_KEY, TRACEPARENT } from "../../services/contract/headers.ts";
import { PROBLEM_TYPE } from "../../services/contract/problem.ts";
import {
  OUTCOMES,
  outcomeOfStatus,
  STOP_REASONS,
  type Outcome,
  type StopReason,
} from "../../services/policy/outcome.ts";
import type { Arrival } from "../core/schedule.ts";
import { orderTraceparent } from "../core/trace-id.ts";

/** What the first tier says of itself, where it says it. */
export interface Said {
  readonly stop?: StopReason | undefined;
  readonly attempts?: number | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** `x-lab-attempts`. */
  readonly attempts: string | undefined;
  readonly text: string;
}

export function requestHeaders({ idempotencyKey }: Arrival, traceId: string): [name: string, value: string][] {
  const headers: [string, string][] = [
    [ATTEMPT_COUNT, "1"],
    [TRACEPARENT, orderTraceparent(traceId)],
  ];
  if (idempotencyKey !== undefined) headers.push([IDEMPOTENCY_KEY, idempotencyKey]);
  return headers;
}

/** The members of problem+json that the lab knows. An unknown word is as good as none. */
function readProblem(text: string): { outcome?: Outcome | undefined; stop?: StopReason | undefined } {
  try {
    const { outcome, stop } = JSON.parse(text) as Record<string, unknown>;
    return {
      outcome: OUTCOMES.find((known) => known === outcome),
      stop: STOP_REASONS.find((known) => known === stop),
    };
  } catch {
    return {}; // A proxy's own error page is as good an answer as any: it just says no more than its status.
  }
}

export function readAnswer({ status, contentType, attempts, text }: RawAnswer): Said & { readonly outcome: Outcome } {
  const byStatus = outcomeOfStatus(status);
  const { outcome, stop } = contentType?.startsWith(PROBLEM_TYPE) === true ? readProblem(text) : {};
  return {
    outcome: outcome ?? byStatus,
    stop: byStatus === "ok" ? "success" : stop,
    attempts: /^\d{1,9}$/.test(attempts ?? "") ? Number(attempts) : undefined,
  };
}
