/** `/metrics` and `/healthz` of a program that serves nothing else: the load generator. */
import type { Router } from "express";
import type { Clock } from "../policy/clock.ts";
import { addMetrics, guardedRouter } from "./admin.ts";
import { addLastResorts, createApp } from "./http-app.ts";
import { listen, type Listening } from "./http-server.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsServerParts {
  readonly metrics: Metrics;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Adds further routes, behind the same guard. */
  readonly more?: (router: Router) => void;
}

/** Rejects with a `ListenError`. */
export function serveMetrics(parts: MetricsServerParts): Promise<Listening> {
  const { metrics, host, port, clock, onError, more } = parts;
  const app = createApp();
  const router = guardedRouter();
  addMetrics(router, metrics);
  router.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  more?.(router);
  app.use(router);
  addLastResorts(app, onError);
  return listen(app, host, port, clock);
}
