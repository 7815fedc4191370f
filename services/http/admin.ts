/** What every service serves besides its orders: health, metrics, counters, and the beginning of a run. */
import express, { type Express, type Request, type Response } from "express";
import { adminRefusal } from "./guard.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { sendProblem } from "./problem.ts";
import type { RunDescription, ServiceStats } from "../contract/stats.ts";
import { guard } from "./app.ts";

/** The whole environment of a lab fits, with a long timeline in it. */
const LARGEST_BODY = "16kb";
const LARGEST_SEED = 2 ** 32 - 1;
const RUN_NAME = /^[A-Za-z0-9-]{1,64}$/;

export interface Administration {
  readonly isStopping: () => boolean;
  readonly metrics: Metrics;
  stats(): ServiceStats;
  /**
   * A run begins with random numbers drawn from `seed`; called only while nothing is in flight.
   * @param run its name, the same at all instances of a tier
   */
  begin(seed: number, run: string): RunDescription;
}

/** The body as an object; an empty one where it is anything else. */
export function bodyOf(req: Request): Record<string, unknown> {
  const body: unknown = req.body;
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
}

function beginRun(admin: Administration, req: Request, res: Response): void {
  const { seed, run = "run" } = bodyOf(req);
  if (typeof seed !== "number" || !Number.isInteger(seed) || seed < 0 || seed > LARGEST_SEED) {
    const given = JSON.stringify(seed)?.slice(0, 100) ?? "nothing";
    return sendProblem(res, 400, `seed must be a whole number from 0 to ${LARGEST_SEED}, not ${given}`);
  }
  if (typeof run !== "string" || !RUN_NAME.test(run)) {
    const given = JSON.stringify(run).slice(0, 100);
    return sendProblem(res, 400, `run must be 1 to 64 letters, digits and "-", not ${given}`);
  }
  const { inFlight } = admin.stats();
  if (inFlight > 0) {
    return sendProblem(res, 409, `${inFlight} requests are in flight: begin the run when they have ended`);
  }
  res.json(admin.begin(seed, run));
}

/** A router that answers nobody who comes through a web page. Reads JSON bodies. */
export function guardedRouter(): express.Router {
  const router = express.Router();
  router.use(guard(({ headers }) => adminRefusal(headers)));
  router.use(express.json({ limit: LARGEST_BODY }));
  return router;
}

/** `GET /metrics`. */
export function addMetrics(router: express.Router, metrics: Metrics): void {
  router.get("/metrics", async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.read());
  });
}

/** Adds the administration's routes to `app`. `more` adds those of one role, behind the same guard. */
export function addAdministration(app: Express, admin: Administration, more?: (router: express.Router) => void): void {
  const router = guardedRouter();
  router.get("/healthz", (_req, res) => {
    const stopping = admin.isStopping();
    res.status(stopping ? 503 : 200).json({ status: stopping ? "stopping" : "ok" });
  });
  addMetrics(router, admin.metrics);
  router.get("/stats", (_req, res) => {
    res.json(admin.stats());
  });
  router.post("/run", (req, res) => beginRun(admin, req, res));
  more?.(router);
  app.use(router);
}
