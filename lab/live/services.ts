/** What the live page asks of the running services: their counters, other faults, another policy. */
import { faultsAt, type Reading } from "../../loadgen/series.ts";
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

function readingOf(atMs: number, due: number, all: readonly ServiceStats[]): Reading | undefined {
  const backend = all.find((one) => one.kind === "backend");
  if (backend === undefined) return undefined;
  const hops = all.filter((one) => one.kind === "hop");
  const { arrivals, ok, failed, shed, wasted, waiting, tokens, faultsHistory } = backend;
  const { capacity, errorRate } = faultsAt(faultsHistory, Infinity) ?? { capacity: 0, errorRate: 0 };
  return {
    atMs,
    due,
    tiers: Object.fromEntries(
      hops.map(({ service, arrivals: got, attempts }) => [service, { arrivals: got, attempts }]),
    ),
    backend: { arrivals, ok, failed, shed, wasted, waiting, tokens, capacity, errorRate },
  };
}

/** @param tiers from the client's side down; the last is the backend */
export function servicesOf(tiers: readonly Tier[]): Services {
  const backend = tiers.at(-1);
  if (backend === undefined) throw new Error("a chain has at least a backend");
  return {
    read: async (atMs, due) => {
      const all = await Promise.all(tiers.map(({ url }) => call("GET", `${url}/stats`)));
      const reading = readingOf(atMs, due, all as ServiceStats[]);
      if (reading === undefined) throw new Error(`${backend.url} does not count as a backend does`);
      return reading;
    },
    setFaults: async (faults) => void (await call("PUT", `${backend.url}/faults`, faults)),
    setPolicy: async (settings) =>
      void (await Promise.all(tiers.map(({ url }) => call("PUT", `${url}/policy`, settings)))),
  };
}
