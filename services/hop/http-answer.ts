/** A hop's answer as HTTP. */
import type { ServerResponse } from "node:http";
import type { HopReply } from "../contract/request.ts";
import { wireReplyOf } from "../contract/wire.ts";
import { ATTEMPTS_MADE, RETRY_AFTER, RETRY_OK } from "../contract/headers.ts";
import { PROBLEM_TYPE } from "../contract/problem.ts";
import { problemText } from "../http/problem.ts";

export function sendHopAnswer(res: ServerResponse, reply: HopReply): void {
  const { status, retryAfterS, doNotRetry, outcome, stop, attempts, body } = wireReplyOf(reply);
  const isProblem = status >= 400;
  const text = isProblem ? problemText(status, { outcome: outcome ?? "failed", stop }) : (body ?? "");
  const headers: Record<string, string | number> = {
    "content-type": isProblem ? PROBLEM_TYPE : "application/json",
    "content-length": Buffer.byteLength(text),
    [ATTEMPTS_MADE]: attempts ?? 0,
  };
  if (retryAfterS !== undefined) headers[RETRY_AFTER] = retryAfterS;
  if (doNotRetry) headers[RETRY_OK] = "0";
  res.writeHead(status, headers);
  res.end(text);
}
