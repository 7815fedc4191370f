/** A hop's retry policy, from the settings. What a knob's row names as its field needs no line here. */
import type { BreakerPolicy } from "../policy/breaker/breaker.ts";
import type { HedgePolicy, HedgeTrigger } from "../policy/hedge/hedge.ts";
import { retryOnList } from "../policy/retry-on.ts";
import type { RetryPolicy } from "../policy/retry-policy.ts";
import { instancesOf } from "../settings/instances.ts";
import { ADMISSION_KNOBS } from "../settings/knobs/admission.ts";
import { BREAKER_KNOBS } from "../settings/knobs/breaker.ts";
import { BUDGET_KNOBS } from "../settings/knobs/budget.ts";
import { FLEET_KNOBS } from "../settings/knobs/fleet.ts";
import { ATTEMPT_KNOBS, BACKOFF_KNOBS } from "../settings/knobs/retry.ts";
import { tierList } from "../settings/tiers.ts";
import type { Values } from "../settings/values.ts";

function breakerOf(values: Values, hop: string): BreakerPolicy | undefined {
  const kind = values.choice("BREAKER", hop);
  if (kind === "none") return undefined;
  const rest = values.fields(BREAKER_KNOBS, hop);
  if (kind === "consecutive") return { rule: { kind, failures: values.number("BREAKER_FAILURES", hop) }, ...rest };
  const windowMs = values.number("BREAKER_WINDOW_S", hop) * 1000;
  const [share, minCalls] = [values.number("BREAKER_SHARE", hop), values.number("BREAKER_MIN_CALLS", hop)];
  return { rule: { kind, share, minCalls, windowMs }, ...rest };
}

function triggerOf(values: Values, hop: string): HedgeTrigger | undefined {
  const kind = values.choice("HEDGE", hop);
  if (kind === "delay") return { kind, delayMs: values.number("HEDGE_DELAY_MS", hop) };
  if (kind === "quantile") return { kind, quantile: values.number("HEDGE_QUANTILE", hop) };
  return kind === "tied" ? { kind } : undefined;
}

/** Only who calls the backend chooses among its replicas. */
function choiceOf(values: Values, hop: string): { replicas?: number; hedge?: HedgePolicy } {
  const replicas = values.number("REPLICAS");
  if (replicas === 1 || tierList(values.text("TIERS")).at(-1) !== hop) return {};
  const trigger = triggerOf(values, hop);
  if (trigger === undefined) return { replicas };
  return { replicas, hedge: { trigger, ratio: values.number("HEDGE_RATIO", hop) } };
}

/** The policy of the hop called `hop`: its own settings where it has them, else those for all. */
export function retryPolicyOf(values: Values, hop: string): RetryPolicy {
  const instances = instancesOf(values, hop);
  const breaker = breakerOf(values, hop);
  const budget = values.fields(BUDGET_KNOBS, hop);
  const isShared = values.choice("BUDGET_SCOPE", hop) === "fleet" && budget.kind !== "none";
  const admission = values.choice("ADMISSION", hop);
  return {
    ...values.fields(ATTEMPT_KNOBS, hop),
    retryOn: retryOnList(values.text("RETRY_ON", hop)),
    backoff: values.fields(BACKOFF_KNOBS, hop),
    budget: { ...budget, ...(isShared ? { fleet: values.fields(FLEET_KNOBS, hop) } : {}) },
    ...(instances === 1 ? {} : { instances }),
    ...(breaker === undefined ? {} : { breaker }),
    ...choiceOf(values, hop),
    ...(admission === "off" ? {} : { admission: { kind: admission, ...values.fields(ADMISSION_KNOBS, hop) } }),
  };
}
