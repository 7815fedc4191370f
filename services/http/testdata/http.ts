/** Real servers and requests for tests; all that is opened is closed when the test ends. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createLog, type Logger } from "../../telemetry/log.ts";

/** Serves `app` on a free loopback port; returns its URL. */
export async function serve(t: TestContext, app: RequestListener): Promise<string> {
  const server = createServer(app).listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The URL of a port where nothing listens. */
export async function nobody(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends `body` as JSON; the answer's body is read as JSON of the expected type. */
export async function askJson<Body>(method: string, url: string, body?: unknown): Promise<Body> {
  const init = { method, headers: { "content-type": "application/json" } };
  const { text } = await ask(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  return JSON.parse(text) as Body;
}

/** The value of one series of `GET /metrics`; undefined where there is none. `labels` in any order. */
export async function metric(
  url: string,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const { text } = await ask(`${url}/metrics`);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text.split("\n").find((row) => row.startsWith(`${name}{`) && wanted.every((pair) => row.includes(pair)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
}

export const silent: Logger = createLog("test", "silent", { write: () => {} });

export interface Line {
  readonly service: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A log that keeps its lines and tells of each as it comes. */
export function heard(service: string, level: string, onLine: (line: Line) => void): Logger {
  return createLog(service, level, { write: (text) => onLine(JSON.parse(text) as Line) });
}

/** Notes the headers of every request to an order before `app` sees it. */
export function noting(app: RequestListener, seen: IncomingHttpHeaders[]): RequestListener {
  return (req, res) => {
    if (req.url?.startsWith("/orders/") === true) seen.push(req.headers);
    app(req, res);
  };
}

/** A promise and the function that keeps it. */
export function promised<Value = void>(): { promise: Promise<Value>; keep: (value: Value) => void } {
  let keep: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}
