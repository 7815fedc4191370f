/** The backend's model, from the settings. */
import { parseTimeline } from "../backend/faults.ts";
import type { BackendConfig } from "../backend/model.ts";
import type { Values } from "./values.ts";

export function backendConfigOf(values: Values): BackendConfig {
  const burst = values.number("CAPACITY_BURST");
  return {
    capacity: values.number("CAPACITY"),
    capacityBurst: burst === Infinity ? undefined : burst,
    latencyMs: values.number("LATENCY_MS"),
    errorRate: values.number("ERROR_RATE"),
    queueLimit: values.number("QUEUE_LIMIT"),
    shedRetryAfterS: values.number("SHED_RETRY_AFTER_S"),
    dropExpired: values.flag("DROP_EXPIRED"),
    leaveOnDisconnect: values.flag("LEAVE_ON_DISCONNECT"),
    timeline: parseTimeline(values.text("FAULT_TIMELINE")).steps,
  };
}
