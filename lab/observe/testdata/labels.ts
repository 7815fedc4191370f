/** All values of all labels, and what a run is that gives some of them. */
import { CIRCUIT_STATES } from "../../../services/hop/core/circuit.ts";
import { RESULTS } from "../../../services/backend/metrics.ts";
import { ATTEMPT_LABELS, type METRICS } from "../../../services/telemetry/metric-names.ts";
import { LEASE_ANSWERS, RETRY_SOURCES } from "../../../services/policy/budget/fleet.ts";
import { HEDGE_EVENTS } from "../../../services/policy/hedge/hedge.ts";
import { OUTCOMES, STOP_REASONS } from "../../../services/policy/outcome.ts";
import type { Chain, Setting } from "./chain.ts";

/** By label. */
export const VALUES = {
  outcome: OUTCOMES,
  reason: STOP_REASONS,
  attempt: ATTEMPT_LABELS,
  state: CIRCUIT_STATES,
  event: HEDGE_EVENTS,
  result: RESULTS,
  answer: LEASE_ANSWERS,
  source: RETRY_SOURCES,
} as const;

/** A name of `METRICS`, and which value of which of its labels. */
type Move = readonly [keyof typeof METRICS, keyof typeof VALUES, string];

export interface LabelCase extends Setting {
  readonly title: string;
  readonly moves: readonly Move[];
  readonly act: (chain: Chain) => unknown;
}
