/** The backend's Prometheus metrics, read from the model's own counts when somebody asks. */
import type { Backend } from "./core/model.ts";
import { zeros } from "../contract/zeros.ts";
import { METRICS } from "../telemetry/metric-names.ts";
import type { Metrics } from "../telemetry/metrics.ts";

export const RESULTS = ["ok", "failed", "shed", "expired", "left", "repeated"] as const;
const COUNTED = ["arrivals", ...RESULTS, "wasted", "lost", "effects", "duplicateEffects"] as const;
type Counted = (typeof COUNTED)[number];

export interface BackendTotals {
  /** To be called before the model's counts go to zero: Prometheus counters never go back. */
  keep(): void;
}

function addGauges(metrics: Metrics, backend: Backend): void {
  metrics.gauge(METRICS.inFlight, () => backend.counts().waiting + backend.counts().serving);
  metrics.gauge(METRICS.backendQueue, () => backend.counts().waiting);
  metrics.gauge(METRICS.backendServing, () => backend.counts().serving);
  metrics.gauge(METRICS.backendAbandoned, () => backend.counts().abandoned);
  metrics.gauge(METRICS.backendTokens, () => backend.counts().tokens);
  metrics.gauge(METRICS.backendCapacity, () => backend.faults().capacity);
  metrics.gauge(METRICS.backendErrorRate, () => backend.faults().errorRate);
  metrics.gauge(METRICS.backendLatency, () => backend.faults().latencyMs / 1000);
}

export function measureBackend(metrics: Metrics, backend: Backend): BackendTotals {
  const kept = zeros(COUNTED);
  const total = (name: Counted): number => kept[name] + backend.counts()[name];
  metrics.readCounter(METRICS.arrivals, () => total("arrivals"));
  metrics.readCounterBy(METRICS.backendCalls, "result", () => {
    const calls = zeros(RESULTS);
    for (const name of RESULTS) calls[name] = total(name);
    return calls;
  });
  metrics.readCounter(METRICS.backendWasted, () => total("wasted"));
  metrics.readCounter(METRICS.backendLost, () => total("lost"));
  metrics.readCounter(METRICS.backendEffects, () => total("effects"));
  metrics.readCounter(METRICS.backendDuplicates, () => total("duplicateEffects"));
  addGauges(metrics, backend);
  return {
    keep() {
      for (const name of COUNTED) kept[name] = total(name);
    },
  };
}
