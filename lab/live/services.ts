/** What the live page asks of the running services: their counters, other faults, another policy. */
import type { Reading } from "../../loadgen/core/series.ts";
import type { Tier } from "../../loadgen/run/tiers.ts";
import { readingOf } from "../../loadgen/run/watch.ts";
import type { LiveFaults } from "./model.ts";

/** A service of this machine that does not answer within this many milliseconds is in trouble. */
const PATIENCE_MS = 3000;

export interface Services {
  /** The counters of all tiers. @param due client requests that were due by `atMs` */
  read(atMs: number, due: number): Promise<Reading>;
  setFaults(faults: LiveFaults): Promise<void>;
  /** Every tier takes its part of the settings. */
  setPolicy(settings: Readonly<Record<string, string>>): Promise<void>;
}

async function putPolicy(
  name: string,
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const response = await fetch(`${url}/policy`, {
    method: "PUT",
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  const { detail = response.statusText } = (await response.json()) as { detail?: string };
  if (!response.ok) throw new Error(`${name} does not take the policy: ${detail}`);
}

/** @param tiers from the client's side down; the last is the backend */
export function servicesOf(tiers: readonly Tier[]): Services {
  return {
    read: async (atMs, due) => readingOf(atMs, due, await Promise.all(tiers.map((tier) => tier.stats()))),
    setFaults: async (faults) => tiers.at(-1)?.changeFaults(faults),
    async setPolicy(settings) {
      await Promise.all(
        tiers.flatMap(({ name, url, urls = [url] }) => urls.map((url) => putPolicy(name, url, settings))),
      );
    },
  };
}
