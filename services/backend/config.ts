/** The backend's model, from the settings. */
import { parseTimeline } from "../contract/fault-timeline.ts";
import { FAULTS, faultsBy } from "../contract/faults.ts";
import type { BackendConfig } from "./core/model.ts";
import type { Values } from "../settings/values.ts";

export function backendConfigOf(values: Values): BackendConfig {
  const burst = values.number("CAPACITY_BURST");
  const slowReplica = values.number("SLOW_REPLICA");
  return {
    ...faultsBy(FAULTS, ({ knob }) => values.number(knob)),
    throttle: values.choice("THROTTLE"),
    capacityBurst: burst === Infinity ? undefined : burst,
    queueLimit: values.number("QUEUE_LIMIT"),
    shedRetryAfterS: values.number("SHED_RETRY_AFTER_S"),
    dropExpired: values.flag("DROP_EXPIRED"),
    leaveOnDisconnect: values.flag("LEAVE_ON_DISCONNECT"),
    queueOrder: values.choice("QUEUE_ORDER"),
    codel: values.flag("CODEL"),
    concurrencyLimit: values.choice("CONCURRENCY_LIMIT"),
    dedup: values.choice("DEDUP"),
    dedupTtlMs: values.number("DEDUP_TTL_S") * 1000,
    responseLoss: values.number("RESPONSE_LOSS"),
    stragglerShare: values.number("STRAGGLER_SHARE"),
    stragglersBy: values.choice("STRAGGLERS_BY"),
    replicas: values.number("REPLICAS"),
    slowReplica: slowReplica === Infinity ? undefined : slowReplica,
    tieCancelMs: values.number("TIE_CANCEL_MS"),
    timeline: parseTimeline(values.text("FAULT_TIMELINE")).steps,
  };
}
