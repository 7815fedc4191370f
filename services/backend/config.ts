/** The backend's model, from the settings. What a knob's row names as its field needs no line here. */
import { parseTimeline } from "../contract/fault-timeline.ts";
import { BACKEND_KNOBS } from "../settings/knobs/backend.ts";
import { REPLICA_KNOBS } from "../settings/knobs/replicas.ts";
import type { Values } from "../settings/values.ts";
import type { BackendConfig } from "./core/model.ts";

const unlessWord = (value: number): number | undefined => (value === Infinity ? undefined : value);

export function backendConfigOf(values: Values): BackendConfig {
  return {
    ...values.fields(BACKEND_KNOBS),
    ...values.fields(REPLICA_KNOBS),
    capacityBurst: unlessWord(values.number("CAPACITY_BURST")),
    shedStatus: values.choice("SHED_AS") === "throttled" ? 429 : 503,
    slowReplica: unlessWord(values.number("SLOW_REPLICA")),
    weakReplica: unlessWord(values.number("WEAK_REPLICA")),
    timeline: parseTimeline(values.text("FAULT_TIMELINE")).steps,
  };
}
