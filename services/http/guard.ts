/**
 * Who may use the administration: nobody who comes through a web page.
 *
 * A page in a browser can send requests to 127.0.0.1, and with DNS rebinding (a name of the attacker's that suddenly
 * stands for 127.0.0.1) read the answers. A browser marks such requests by itself: the first kind, where it could
 * change something, has an Origin header; the second carries the attacker's name as Host. So the administration
 * refuses any Origin, and any Host but
 *
 *     an IP address (there is no name that could be rebound)    127.0.0.1:8080  [::1]:8080
 *     a name without a dot (nobody can own one in public DNS)   localhost  edge  backend-1
 *
 * The second line is what a service is called within a Compose network.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

const HOST = /^(?:\[(?<v6>[0-9a-f:.]{2,45})\]|(?<name>[a-z0-9._-]{1,253}))(?::\d{1,5})?$/i;

function isTrustedHost(host: string): boolean {
  const { v6, name } = HOST.exec(host)?.groups ?? {};
  if (v6 !== undefined) return isIP(v6) === 6;
  return name !== undefined && (isIP(name) === 4 || !name.includes("."));
}

/** Why this request may not use the administration; undefined where it may. */
export function adminRefusal(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined) return "the administration is not for web pages: send no Origin header";
  const host = headers.host ?? "";
  if (isTrustedHost(host)) return undefined;
  return `the Host ${JSON.stringify(host.slice(0, 100))} is neither an IP address nor a name without a dot: use 127.0.0.1`;
}
