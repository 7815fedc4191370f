/** A hop's retry policy, from the settings. */
import type { AdmissionPolicy } from "../policy/admission.ts";
import type { BreakerPolicy } from "../policy/breaker/breaker.ts";
import type { FleetTerms } from "../policy/budget/budget-types.ts";
import type { HedgePolicy, HedgeTrigger } from "../policy/hedge/hedge.ts";
import type { RetryPolicy } from "../policy/retry-policy.ts";
import type { NumberKnobName } from "../settings/knobs/knobs.ts";
import { instancesOf } from "../settings/instances.ts";
import { tierList } from "../settings/tiers.ts";
import type { Values } from "../settings/values.ts";

function breakerOf(values: Values, hop: string): BreakerPolicy | undefined {
  const kind = values.choice("BREAKER", hop);
  if (kind === "none") return undefined;
  const number = (name: NumberKnobName): number => values.number(name, hop);
  const rest = { coolOffMs: number("BREAKER_COOL_OFF_MS"), probes: number("BREAKER_PROBES") };
  if (kind === "consecutive") return { rule: { kind, failures: number("BREAKER_FAILURES") }, ...rest };
  const windowMs = number("BREAKER_WINDOW_S") * 1000;
  const [share, minCalls] = [number("BREAKER_SHARE"), number("BREAKER_MIN_CALLS")];
  return { rule: { kind: "rate", share, minCalls, windowMs }, ...rest };
}

function admissionOf(values: Values, hop: string): { admission?: AdmissionPolicy } {
  const kind = values.choice("ADMISSION", hop);
  if (kind === "off") return {};
  const admission = {
    kind,
    limit: values.number("ADMISSION_LIMIT", hop),
    queue: values.number("ADMISSION_QUEUE", hop),
    order: values.choice("ADMISSION_ORDER", hop),
    codel: values.flag("ADMISSION_CODEL", hop),
    retryAfterMs: values.number("ADMISSION_RETRY_AFTER_S", hop) * 1000,
  };
  return { admission };
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

function fleetOf(values: Values, hop: string): { fleet?: FleetTerms } {
  if (values.text("BUDGET_SCOPE", hop) !== "fleet" || values.text("BUDGET", hop) === "none") return {};
  const [lease, floorPerSecond] = [
    values.number("BUDGET_LEASE", hop),
    values.number("BUDGET_FLOOR_PER_S", hop),
  ];
  return { fleet: { lease, floorPerSecond } };
}

/** The policy of the hop called `hop`: its own settings where it has them, else those for all. */
export function retryPolicyOf(values: Values, hop: string): RetryPolicy {
  const number = (name: NumberKnobName): number => values.number(name, hop);
  const breaker = breakerOf(values, hop);
  const instances = instancesOf(values, hop);
  return {
    maxAttempts: number("MAX_ATTEMPTS"),
    attemptTimeoutMs: number("ATTEMPT_TIMEOUT_MS"),
    backoff: {
      kind: values.choice("BACKOFF", hop),
      baseMs: number("BACKOFF_BASE_MS"),
      capMs: number("BACKOFF_CAP_MS"),
    },
    budget: {
      kind: values.choice("BUDGET", hop),
      ratio: number("BUDGET_RATIO"),
      burst: number("BUDGET_BURST"),
      start: number("BUDGET_START"),
      minPerSecond: number("BUDGET_MIN_PER_S"),
      cost: number("BUDGET_COST"),
      windowMs: number("BUDGET_WINDOW_S") * 1000,
      ...fleetOf(values, hop),
    },
    ...(instances === 1 ? {} : { instances }),
    ...(breaker === undefined ? {} : { breaker }),
    ...choiceOf(values, hop),
    ...admissionOf(values, hop),
    deadlineMs: number("DEADLINE_MS"),
    minAttemptMs: number("MIN_ATTEMPT_MS"),
    passDeadline: values.flag("PASS_DEADLINE", hop),
    followCaller: values.flag("FOLLOW_CALLER", hop),
    retryOwner: values.flag("RETRY_OWNER", hop),
    respectRetryOk: values.flag("RESPECT_RETRY_OK", hop),
    respectRetryAfter: values.flag("RESPECT_RETRY_AFTER", hop),
    overloadRetry: values.flag("OVERLOAD_RETRY", hop),
  };
}
