/** The live page's own small server: the page, its stream of states, and its controls. Loopback only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pageRefusal } from "./guard.ts";
import { CHANGES, readChange, type Change } from "./request.ts";
import { messageOf } from "../../services/settings/known-error.ts";

/** Pages that may look on at the same time. */
const MOST_PAGES = 20;
const LARGEST_BODY = 4096;

export interface LiveServerParts {
  /** The whole page. */
  readonly page: () => string;
  readonly policies: readonly string[];
  /** Does what a control asks for; rejects with a message for a person. */
  readonly change: (change: Change) => Promise<void>;
}

export interface LiveServer {
  readonly url: string;
  /** Sends a state to every page that looks on. */
  send(state: unknown): void;
  close(): Promise<void>;
}

const COMMON = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function answer(res: ServerResponse, status: number, type: string, text: string): void {
  res
    .writeHead(status, { ...COMMON, "content-type": `${type}; charset=utf-8`, connection: "close" })
    .end(text);
}

const answerJson = (res: ServerResponse, status: number, body: unknown): void =>
  answer(res, status, "application/json", JSON.stringify(body));

/** undefined when it is larger than any control's. */
async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  let text = "";
  for await (const chunk of req.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > LARGEST_BODY) return undefined;
  }
  return text;
}

async function takeChange(
  parts: LiveServerParts,
  path: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const text = await bodyOf(req);
  if (text === undefined) return answerJson(res, 413, { problems: ["the body is too large"] });
  const read = readChange(path, text, parts.policies);
  if ("problems" in read) return answerJson(res, 400, read);
  try {
    await parts.change(read.change);
    answerJson(res, 200, {});
  } catch (error) {
    answerJson(res, 502, { problems: [messageOf(error)] });
  }
}

/** The pages that look on, each an open answer. */
class Stream {
  private readonly open = new Set<ServerResponse>();

  add(res: ServerResponse): void {
    if (this.open.size >= MOST_PAGES)
      return answer(res, 503, "text/plain", `${MOST_PAGES} pages look on already`);
    res.writeHead(200, { ...COMMON, "content-type": "text/event-stream" });
    res.flushHeaders();
    this.open.add(res);
    res.on("close", () => this.open.delete(res));
  }

  send(state: unknown): void {
    const text = `data: ${JSON.stringify(state)}\n\n`;
    for (const res of this.open) {
      // A page that has not read the last state yet gets a later one: nothing piles up for it.
      if (!res.writableNeedDrain) res.write(text);
    }
  }

  close(): void {
    for (const res of this.open) res.end();
  }
}

function route(parts: LiveServerParts, stream: Stream, req: IncomingMessage, res: ServerResponse): void {
  const { port } = req.socket.address() as AddressInfo;
  const { method = "GET", url: path = "/" } = req;
  const refusal = pageRefusal({ method, headers: req.headers }, port);
  if (refusal !== undefined) answer(res, 403, "text/plain", refusal);
  else if (method === "GET" && path === "/") answer(res, 200, "text/html", parts.page());
  else if (method === "GET" && path === "/events") stream.add(res);
  else if (method === "POST" && CHANGES.includes(path)) void takeChange(parts, path, req, res);
  else answer(res, 404, "text/plain", "there is nothing here");
}

function close(server: Server, stream: Stream): Promise<void> {
  stream.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Listens on loopback.
 * @param port 0 picks a free one
 * @throws Error with a message for a person when the port cannot be had
 */
export function serveLive(parts: LiveServerParts, port: number): Promise<LiveServer> {
  const stream = new Stream();
  const server = createServer((req, res) => route(parts, stream, req, res));
  return new Promise((resolve, reject) => {
    server.once("error", ({ message }) =>
      reject(new Error(`--port ${port}: cannot listen: ${message}. Choose another (0 picks a free one).`)),
    );
    server.listen(port, "127.0.0.1", () => {
      const { port: got } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${got}/`,
        send: (state) => stream.send(state),
        close: () => close(server, stream),
      });
    });
  });
}
