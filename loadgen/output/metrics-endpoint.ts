/** The load program's own metrics: served while it runs, where PORT asks for it. */
import { realClock } from "../../services/real-time/clock.ts";
import type { Listening } from "../../services/http/server.ts";
import { measuringLoad, type LoadWatch } from "./load-metrics.ts";
import { serveMetrics } from "../../services/http/metrics-server.ts";
import { createMetrics } from "../../services/telemetry/metrics.ts";
import type { LoadConfig } from "../core/config.ts";

/** What a scraper under way may take to read the last numbers, in milliseconds. */
const GRACE_MS = 500;

export interface LoadMetrics {
  readonly watch: LoadWatch;
  stop(): Promise<void>;
}

const stopped = (server: Listening): Promise<void> =>
  new Promise((resolve) => server.stop(GRACE_MS, resolve));

/** Serves `/metrics`; undefined where `port` is 0. Rejects with a `ListenError`. */
export async function startLoadMetrics(
  { policy, scenario, world, seed }: LoadConfig,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<LoadMetrics | undefined> {
  if (port === 0) return undefined;
  const metrics = createMetrics("load");
  const watch = measuringLoad(metrics);
  watch.runs({ policy, scenario, world: world === "compose" ? world : "process", seed: String(seed) });
  const onError = (error: unknown): void => console.error(`load: /metrics: ${String(error)}`);
  const server = await serveMetrics({ metrics, host, port, clock: realClock, onError });
  return { watch, stop: () => stopped(server) };
}
