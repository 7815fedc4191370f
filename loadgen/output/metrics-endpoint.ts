/** A load's own metrics, served while it goes on. */
import { realClock } from "../../services/real-time/clock.ts";
import { serveMetrics } from "../../services/http/metrics-server.ts";
import type { SwitchPolicy } from "../../services/http/policy-route.ts";
import { createMetrics } from "../../services/telemetry/metrics.ts";
import { measuringLoad, type LoadWatch, type RunInfo } from "./load-metrics.ts";

/** What a scraper under way may take to read the last numbers, in milliseconds. */
const GRACE_MS = 500;

export interface LoadMetrics {
  readonly port: number;
  readonly watch: LoadWatch;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics`. Rejects with a `ListenError`.
 * @param switchOf what `PUT /policy` does; there is no such route without it
 */
export async function startLoadMetrics(
  run: RunInfo,
  listen: { readonly host: string; readonly port: number },
  switchOf?: (watch: LoadWatch) => SwitchPolicy,
): Promise<LoadMetrics> {
  const metrics = createMetrics("load");
  const watch = measuringLoad(metrics);
  watch.runs(run);
  const onError = (error: unknown): void => console.error(`load: /metrics: ${String(error)}`);
  const onPolicy = switchOf?.(watch);
  const server = await serveMetrics({ ...listen, metrics, clock: realClock, onError, onPolicy });
  return { port: server.port, watch, stop: () => new Promise((resolve) => server.stop(GRACE_MS, resolve)) };
}
