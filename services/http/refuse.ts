/** What a service that is stopping answers to what it will not finish. */
import type { ServerResponse } from "node:http";
import { PROBLEM_TYPE } from "../contract/problem.ts";
import { problemText } from "./problem.ts";

const BODY = problemText(503, { outcome: "overloaded", detail: "the service is stopping" });

/** 503 on a connection that then closes; does nothing where an answer has begun. */
export function refuse(res: ServerResponse): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(503, {
    "content-type": PROBLEM_TYPE,
    "content-length": Buffer.byteLength(BODY),
    connection: "close",
  });
  res.end(BODY);
}
