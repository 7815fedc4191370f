/** `GET` and `POST /orders/:id`: the same on every service, from the request's headers to the caller's leaving. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
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

const leavers = new WeakMap<Socket, Set<Cancel>>();

/**
 * Calls `left` when the connection closes. Requests that were sent one behind the other share a connection, and Node
 * tells only the first of them that it has closed. @returns stops that
 */
function onLeaving(socket: Socket, left: Cancel): Cancel {
  let all = leavers.get(socket);
  if (all === undefined) {
    const own = new Set<Cancel>();
    leavers.set(socket, own);
    socket.once("close", () => {
      for (const leave of own) leave();
    });
    all = own;
  }
  all.add(left);
  return () => void all.delete(left);
}

function serve<Reply>(routes: OrderRoutes<Reply>, req: Request<{ id: string }>, res: Response): void {
  if (routes.isStopping()) return refuse(res);
  const { id } = req.params;
  const problems = problemsOfOrder(id, req.headers);
  if (problems.length > 0) return sendProblem(res, 400, problems.join("; "));
  // Nobody reads the body; but unread it would hide that the caller has left.
  req.resume();
  const request = requestOf(id, req.method === "POST" ? "POST" : "GET", req.url, req.headers);
  let answered = false;
  let stopListening: Cancel = () => {};
  const callerLeft = routes.handle(request, (reply) => {
    answered = true;
    stopListening();
    if (!res.headersSent && !res.destroyed) routes.answer(res, reply);
  });
  if (!answered) stopListening = onLeaving(req.socket, callerLeft);
}

export function addOrderRoutes<Reply>(app: Express, routes: OrderRoutes<Reply>): void {
  app.get("/orders/:id", (req, res) => serve(routes, req, res));
  app.post("/orders/:id", (req, res) => serve(routes, req, res));
}
