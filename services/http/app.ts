/** An express app, as every service starts and ends it. */
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { sendProblem } from "./problem.ts";

/** An empty app that says nothing about itself and computes nothing that nobody asked for. */
export function createApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", false);
  return app;
}

/** Answers 403 to what `refusalOf` has a reason against. */
export function guard(refusalOf: (req: Request) => string | undefined): RequestHandler {
  return (req, res, next) => {
    const refusal = refusalOf(req);
    if (refusal === undefined) next();
    else sendProblem(res, 403, refusal);
  };
}

/** Reads the body of a request as text, whatever its type. @param most in bytes; a longer one is answered with 413 */
export const readText = (most: number): RequestHandler => express.text({ type: () => true, limit: most });

/** A number that a library gave its error as the status to answer with. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("status" in error)) return 500;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

/** Answers what no route took and what a route threw. Goes last. */
export function addLastResorts(app: Express, onError: (error: unknown) => void): void {
  app.use((req: Request, res: Response) => {
    sendProblem(res, 404, `there is no ${req.method} ${req.path.slice(0, 100)} here`);
  });
  app.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    const status = statusOf(error);
    if (status === 500) onError(error);
    if (res.headersSent) return next(error);
    // A parser's message quotes the caller's own bytes back; an error of ours stays in the log.
    const said = status < 500 && error instanceof Error ? error.message.slice(0, 200) : "see the service's log";
    sendProblem(res, status, said);
  });
}
