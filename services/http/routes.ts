/** `GET` and `POST /orders/:id`: the same on every service, from the request's headers to the caller's leaving. */
import type { ServerResponse } from "node:http";
import type { Express, Request, Response } from "express";
import type { HopRequest } from "../contract/request.ts";
import type { Cancel } from "../policy/clock.ts";
import { problemsOfOrder, requestOf } from "../contract/headers.ts";
import { sendProblem } from "./problem.ts";
import { refuse } from "./refuse.ts";

export interface OrderRoutes<Reply> {
  readonly isStopping: () => boolean;
  /** Calls `done` at most once. The returned `Cancel` says that the caller has gone away. */
  handle(request: HopRequest, done: (reply: Reply) => void): Cancel;
  answer(res: ServerResponse, reply: Reply): void;
}

function serve<Reply>(routes: OrderRoutes<Reply>, req: Request<{ id: string }>, res: Response): void {
  if (routes.isStopping()) return refuse(res);
  const { id } = req.params;
  const problems = problemsOfOrder(id, req.headers);
  if (problems.length > 0) return sendProblem(res, 400, problems.join("; "));
  // Nobody reads the body of a write; but unread it would hide that the caller has left.
  if (req.method === "POST") req.resume();
  const request = requestOf(id, req.method === "POST" ? "POST" : "GET", req.url, req.headers);
  let answered = false;
  const callerLeft = routes.handle(request, (reply) => {
    answered = true;
    if (!res.headersSent && !res.destroyed) routes.answer(res, reply);
  });
  if (answered) return;
  res.on("close", () => {
    if (!answered) callerLeft();
  });
}

export function addOrderRoutes<Reply>(app: Express, routes: OrderRoutes<Reply>): void {
  app.get("/orders/:id", (req, res) => serve(routes, req, res));
  app.post("/orders/:id", (req, res) => serve(routes, req, res));
}
