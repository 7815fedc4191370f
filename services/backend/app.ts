/** The backend over HTTP: the pure model of core/model.ts behind an express app. */
import type { ServerResponse } from "node:http";
import type { Express, Request, Response } from "express";
import { addAdministration, bodyOf } from "../http/admin.ts";
import { backendConfigOf } from "./config.ts";
import { measureBackend } from "./metrics.ts";
import { RETRY_AFTER } from "../contract/headers.ts";
import { addLastResorts, createApp } from "../http/app.ts";
import type { Logger } from "../telemetry/log.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { addOrderRoutes } from "../http/routes.ts";
import { addPolicyRoute } from "../http/policy-route.ts";
import { PROBLEM_TYPE } from "../contract/problem.ts";
import { problemText, sendProblem } from "../http/problem.ts";
import { watchProcess } from "../telemetry/process-stats.ts";
import type { BackendStats } from "../contract/stats.ts";
import type { Tracing } from "../telemetry/tracing-sdk.ts";
import { traceIdIn } from "../contract/trace-context.ts";
import type { HopRequest } from "../contract/request.ts";
import type { Cancel, Clock } from "../policy/clock.ts";
import type { Outcome } from "../policy/outcome.ts";
import { FAULTS, problemsOf, type Faults } from "../contract/faults.ts";
import { createBackend, type Backend, type BackendConfig } from "./core/model.ts";
import type { BackendOutcome, BackendReply } from "./core/request.ts";

export interface BackendAppParts {
  readonly name: string;
  readonly config: BackendConfig;
  readonly seed: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStopping: () => boolean;
  /** Absent where no spans are wanted. */
  readonly tracing?: Tracing | undefined;
}

export interface BackendApp {
  readonly app: Express;
  /** Stops watching the process. */
  readonly close: () => void;
}

/** A reply and the order that it is about. */
interface Answer {
  readonly id: string;
  readonly reply: BackendReply;
}

const PROBLEM_OUTCOMES: Record<BackendOutcome, Outcome> = {
  ok: "ok",
  failed: "failed",
  shed: "overloaded",
  expired: "deadline",
  // Nobody's fault: an earlier attempt at the same write is still being worked on.
  conflict: "failed",
  misused: "rejected",
  lost: "failed",
};

function answer(res: ServerResponse, { id, reply }: Answer): void {
  const { outcome, status, retryAfterS } = reply;
  // The work is done and its answer gets lost: what a caller sees is a connection that breaks.
  if (outcome === "lost") {
    res.destroy();
    return;
  }
  const isOk = outcome === "ok";
  const text = isOk ? JSON.stringify({ order: id }) : problemText(status, { outcome: PROBLEM_OUTCOMES[outcome] });
  const headers: Record<string, string | number> = {
    "content-type": isOk ? "application/json" : PROBLEM_TYPE,
    "content-length": Buffer.byteLength(text),
  };
  if (retryAfterS !== undefined) headers[RETRY_AFTER] = Math.ceil(retryAfterS);
  res.writeHead(status, headers);
  res.end(text);
}

const FAULT_KEYS: readonly string[] = FAULTS.map(({ key }) => key);

function changeFaults(backend: Backend, log: Logger, req: Request, res: Response): void {
  const body = bodyOf(req);
  const names = FAULT_KEYS.join(", ");
  const unknown = Object.keys(body).filter((name) => !FAULT_KEYS.includes(name));
  const problems = [
    ...problemsOf(body),
    ...unknown.map((name) => `${name.slice(0, 60)} is not a fault (${names})`),
    ...(Object.keys(body).length === 0 ? [`name at least one of ${names} in a JSON object`] : []),
  ];
  if (problems.length > 0) return sendProblem(res, 400, problems.join("; "));
  const change: Partial<Faults> = body;
  backend.change(change);
  log.info(change, "faults changed");
  res.json(backend.faults());
}

type Serve = (request: HopRequest, done: (reply: BackendReply) => void) => Cancel;

/**
 * `serve` with a count of the callers who still wait. A call whose caller has gone may stay in the queue for a minute;
 * a run that is over need not wait for it, because nothing that anybody hears of comes from it.
 */
function countingCallers(serve: Serve): { readonly serve: Serve; readonly waiting: () => number } {
  let waiting = 0;
  return {
    waiting: () => waiting,
    serve: (request, done) => {
      let isWaiting = true;
      waiting += 1;
      const release = (): void => {
        if (isWaiting) waiting -= 1;
        isWaiting = false;
      };
      const leave = serve(request, (reply) => {
        release();
        done(reply);
      });
      return () => {
        release();
        leave();
      };
    },
  };
}

/** `serve` with each call's end in the log at level debug; nothing is built where that is off. */
function logged(backend: Backend, log: Logger): Serve {
  if (!log.isLevelEnabled("debug")) return backend.serve;
  return (request, done) => {
    const { id, attempt, traceparent } = request;
    const note = (outcome: string): void =>
      log.debug({ traceId: traceIdIn(traceparent), id, attempt, outcome }, "call");
    const leave = backend.serve(request, (reply) => {
      note(reply.outcome);
      done(reply);
    });
    return () => {
      note("caller left");
      leave();
    };
  };
}

/** A backend that is ready to serve; counters at zero, random numbers of `parts.seed`. */
export function createBackendApp(parts: BackendAppParts): BackendApp {
  const { name, log, isStopping } = parts;
  const figures = watchProcess(parts.tracing?.reach);
  const backend = createBackend(parts.config, parts.clock, parts.seed);
  const metrics = createMetrics(name);
  const totals = measureBackend(metrics, backend);
  const serve = logged(backend, log);
  const callers = countingCallers(parts.tracing?.backend(serve) ?? serve);
  const stats = (): BackendStats => {
    const counts = backend.counts();
    const inFlight = callers.waiting();
    const faultsHistory = backend.faultsHistory();
    return { service: name, kind: "backend", inFlight, ...figures.read(), ...counts, faultsHistory };
  };
  const begin = (seed: number) => {
    totals.keep();
    backend.begin(seed);
    figures.begin();
    return { service: name, kind: "backend" as const, faults: backend.faults() };
  };
  const app = createApp();
  const handle = (request: HopRequest, done: (reply: Answer) => void): Cancel =>
    callers.serve(request, (reply) => done({ id: request.id, reply }));
  addOrderRoutes(app, { isStopping, handle, answer });
  addAdministration(app, { isStopping, metrics, stats, begin }, (router) => {
    router.put("/faults", (req, res) => changeFaults(backend, log, req, res));
    addPolicyRoute(router, (values) => {
      backend.configure(backendConfigOf(values));
      log.info("the policy changed");
      return { service: name, kind: "backend" as const, faults: backend.faults() };
    });
  });
  addLastResorts(app, (error) => log.error({ err: error }, "a request broke this service"));
  return { app, close: () => figures.close() };
}
