/** The backend's model, from the settings. */
import type { StragglersBy, ThrottleKind } from "./core/config.ts";
import type { ConcurrencyLimitKind } from "../policy/queue/limit.ts";
import type { DedupMode } from "./core/idempotency-store.ts";
import { parseTimeline } from "../contract/faults.ts";
import type { QueueOrder } from "../policy/queue/order.ts";
import type { BackendConfig } from "./core/model.ts";
import type { Values } from "../settings/values.ts";

export function backendConfigOf(values: Values): BackendConfig {
  const burst = values.number("CAPACITY_BURST");
  const slowReplica = values.number("SLOW_REPLICA");
  return {
    throttle: values.text("THROTTLE") as ThrottleKind,
    capacity: values.number("CAPACITY"),
    capacityBurst: burst === Infinity ? undefined : burst,
    latencyMs: values.number("LATENCY_MS"),
    errorRate: values.number("ERROR_RATE"),
    queueLimit: values.number("QUEUE_LIMIT"),
    shedRetryAfterS: values.number("SHED_RETRY_AFTER_S"),
    dropExpired: values.flag("DROP_EXPIRED"),
    leaveOnDisconnect: values.flag("LEAVE_ON_DISCONNECT"),
    queueOrder: values.text("QUEUE_ORDER") as QueueOrder,
    codel: values.flag("CODEL"),
    concurrencyLimit: values.text("CONCURRENCY_LIMIT") as ConcurrencyLimitKind,
    dedup: values.text("DEDUP") as DedupMode,
    dedupTtlMs: values.number("DEDUP_TTL_S") * 1000,
    responseLoss: values.number("RESPONSE_LOSS"),
    stragglerShare: values.number("STRAGGLER_SHARE"),
    stragglerMs: values.number("STRAGGLER_MS"),
    stragglersBy: values.text("STRAGGLERS_BY") as StragglersBy,
    replicas: values.number("REPLICAS"),
    slowReplica: slowReplica === Infinity ? undefined : slowReplica,
    tieCancelMs: values.number("TIE_CANCEL_MS"),
    timeline: parseTimeline(values.text("FAULT_TIMELINE")).steps,
  };
}
