/**
 * Attempts over HTTP to a tier of several instances: each goes to the next one in turn, as a client-side load balancer
 * does. A retry therefore meets another instance than the attempt before it, unless others came in between.
 */
import { createHttpClient, type HttpClient, type HttpClientParts } from "./client.ts";
import { instanceUrls } from "../settings/addresses.ts";

/** @param parts the connections are shared out among the instances */
export function createUpstreams(parts: HttpClientParts): HttpClient {
  const urls = instanceUrls(parts.upstreamUrl);
  const connections = Math.ceil(parts.connections / urls.length);
  const [first, ...others] = urls.map((upstreamUrl) => createHttpClient({ ...parts, upstreamUrl, connections }));
  if (first === undefined) throw new Error("a hop has an upstream");
  if (others.length === 0) return first;
  const clients = [first, ...others];
  let turn = 0;
  return {
    send(request, done) {
      const client = clients[turn % clients.length] ?? first;
      turn += 1;
      return client.send(request, done);
    },
    waiting: () => clients.reduce((sum, client) => sum + client.waiting(), 0),
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}
