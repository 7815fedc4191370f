/** Backends for tests: a well one with room, and what the test is about on top of it. */
import type { BackendConfig } from "../core/model.ts";

export function backendWith(changes: Partial<BackendConfig> = {}): BackendConfig {
  return {
    capacity: 10_000,
    errorRate: 0,
    latencyMs: 0,
    queueLimit: Infinity,
    shedRetryAfterS: 1,
    dropExpired: false,
    leaveOnDisconnect: false,
    timeline: [],
    ...changes,
  };
}
