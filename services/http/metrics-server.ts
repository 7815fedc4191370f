/** `/metrics` and `/healthz` of a program that is no tier: the load generator. */
import type { Clock } from "../policy/clock.ts";
import { addMetrics, guardedRouter } from "./admin.ts";
import { addLastResorts, createApp } from "./app.ts";
import { listen, type Listening } from "./server.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { addPolicySwitch, type SwitchPolicy } from "./policy-route.ts";

export interface MetricsServerParts {
  readonly metrics: Metrics;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** What `PUT /policy` does; there is no such route without it. */
  readonly onPolicy?: SwitchPolicy | undefined;
}

/** Rejects with a `ListenError`. */
export function serveMetrics(parts: MetricsServerParts): Promise<Listening> {
  const { metrics, host, port, clock, onError, onPolicy } = parts;
  const app = createApp();
  const router = guardedRouter();
  addMetrics(router, metrics);
  router.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  if (onPolicy !== undefined) addPolicySwitch(router, onPolicy);
  app.use(router);
  addLastResorts(app, onError);
  return listen(app, host, port, clock);
}
