/** Writes the body of an answer that is not 2xx (contract/problem.ts). */
import { STATUS_CODES } from "node:http";
import type { Response } from "express";
import { PROBLEM_TYPE, type Problem } from "../contract/problem.ts";

export function problemText(status: number, problem: Problem): string {
  return JSON.stringify({ type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, ...problem });
}

/** Answers that the request itself was wrong (4xx), or that this service is at fault (5xx). */
export function sendProblem(res: Response, status: number, detail: string): void {
  const outcome = status >= 500 ? "failed" : "rejected";
  res.status(status).type(PROBLEM_TYPE).send(problemText(status, { outcome, detail }));
}
