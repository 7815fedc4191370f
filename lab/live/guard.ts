/**
 * Who may use the live page: the browser that opened it, and nobody through another page.
 *
 * It listens on loopback, but any page in the same browser can send requests there, and with DNS rebinding read the
 * answers. So the Host must be this very address, an Origin, where there is one, this very page, and whatever changes
 * something must bring its Origin: a browser always does.
 */
import type { IncomingHttpHeaders } from "node:http";

export interface Asked {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Why the request is refused; undefined where it is not. @param port the port that the page is served on */
export function pageRefusal({ method, headers }: Asked, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = "", origin } = headers;
  if (!hosts.includes(host)) return `this page is served as ${hosts[0]} alone`;
  if (origin !== undefined && origin !== `http://${host}`) return "other pages may not use this one";
  if (method === "GET") return undefined;
  return origin === undefined ? "a change must come from the page itself, with its Origin" : undefined;
}
