/** What the live page asks of the running services: their counters, other faults, another policy. */
import type { Reading } from "../../loadgen/series.ts";
import { readingOf } from "../../loadgen/watch.ts";
import type { ServiceStats } from "../../services/platform/stats.ts";
import type { Tier } from "../worlds/chain.ts";
import type { LiveFaults } from "./model.ts";

/** A service of this machine that does not answer within this many milliseconds is in trouble. */
const PATIENCE_MS = 3000;

async function call(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) {
    const { detail = response.statusText } = answer as { detail?: string };
    throw new Error(`${method} ${url}: ${detail}`);
  }
  return answer;
}

export interface Services {
  /** The counters of all tiers. @param due client requests that were due by `atMs` */
  read(atMs: number, due: number): Promise<Reading>;
  setFaults(faults: LiveFaults): Promise<void>;
  /** Every tier takes its part of the settings. */
  setPolicy(settings: Readonly<Record<string, string>>): Promise<void>;
}

/** @param tiers from the client's side down; the last is the backend */
export function servicesOf(tiers: readonly Pick<Tier, "url">[]): Services {
  const backend = tiers.at(-1);
  if (backend === undefined) throw new Error("a chain has at least a backend");
  return {
    read: async (atMs, due) => {
      const all = await Promise.all(tiers.map(({ url }) => call("GET", `${url}/stats`)));
      return readingOf(atMs, due, all as ServiceStats[]);
    },
    setFaults: async (faults) => void (await call("PUT", `${backend.url}/faults`, faults)),
    setPolicy: async (settings) =>
      void (await Promise.all(tiers.map(({ url }) => call("PUT", `${url}/policy`, settings)))),
  };
}
