/**
 * Load without end for the dashboards, with its metrics, and with the one switch of the chain: `PUT /policy` here hands
 * another policy on to every tier.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createAttack } from "../../../loadgen/send/attack.ts";
import { loadConfigOf } from "../../../loadgen/core/config.ts";
import { openLoop } from "../../../loadgen/send/open.ts";
import { awaitReady } from "../../../loadgen/run/prepare.ts";
import { createTier, type Tier } from "../../../loadgen/run/tiers.ts";
import { LATE_AFTER_MS } from "../../../loadgen/core/validity.ts";
import { realClock } from "../../../services/real-time/clock.ts";
import { measuringLoad, type LoadWatch, type RunInfo } from "../../../loadgen/output/load-metrics.ts";
import { serveMetrics } from "../../../services/http/metrics-server.ts";
import { createMetrics } from "../../../services/telemetry/metrics.ts";
import { monotonicMs } from "../../../services/real-time/monotonic.ts";
import type { TierAddress } from "../../../services/settings/addresses.ts";
import type { Values } from "../../../services/settings/values.ts";
import type { Clock } from "../../../services/policy/clock.ts";

/** The schedule's thread and the sender must read the same clock. */
const clock: Clock = { ...realClock, now: monotonicMs };
/** Eleven days are longer than any demonstration. */
const LONG_S = 1_000_000;
/** A client's patience where the settings set none, in milliseconds. */
const PATIENCE_MS = 10_000;
/** What a scraper under way may take, in milliseconds. */
const GRACE_MS = 500;
/** Far above any load of this lab: the queue of a storm is gone at once. */
const UNLIMITED = { capacity: 100_000, errorRate: 0 };
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 100;

export interface TrafficParts {
  /** From the client's side down; the last is the backend. */
  readonly tiers: readonly TierAddress[];
  readonly values: Values;
  readonly say: (text: string) => void;
}

export interface Traffic {
  readonly port: number;
  /** Rejects when the load cannot go on. */
  readonly over: Promise<void>;
  stop(): Promise<void>;
}

function infoOf(values: Values): RunInfo {
  const world = values.text("WORLD") === "compose" ? "compose" : "process";
  return {
    policy: values.text("POLICY"),
    scenario: values.text("SCENARIO"),
    world,
    seed: String(values.number("SEED")),
  };
}

/**
 * Lets the backend serve what a storm has left in its queue. Without this the next policy would begin with minutes of
 * work for callers who have gone, and the room would wait rather than see a difference.
 */
async function emptyQueue(backend: Tier): Promise<void> {
  await backend.changeFaults(UNLIMITED);
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const stats = await backend.stats();
    if (stats.kind === "backend" && stats.waiting === 0) return;
    await pause(LOOK_EVERY_MS, undefined, { ref: false });
  }
}

async function putPolicy({ name, url }: Tier, settings: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(`${url}/policy`, {
    method: "PUT",
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  if (!response.ok) throw new Error(`${name} does not take the policy: ${await response.text()}`);
}

/** One switch at a time, in their order. */
function createSwitch({ tiers: addresses, say }: TrafficParts, watch: LoadWatch) {
  const tiers = addresses.map((address) => createTier(address, clock));
  const backend = tiers.at(-1);
  let turn: Promise<void> = Promise.resolve();
  const change = async (settings: Readonly<Record<string, string>>, values: Values): Promise<void> => {
    if (backend === undefined) return;
    await Promise.all(tiers.map((tier) => putPolicy(tier, settings)));
    const faults = { capacity: values.number("CAPACITY"), errorRate: values.number("ERROR_RATE") };
    try {
      await emptyQueue(backend);
    } finally {
      await backend.changeFaults(faults);
    }
    watch.runs(infoOf(values));
    say(`policy ${values.text("POLICY")}`);
  };
  return (settings: Readonly<Record<string, string>>, values: Values): Promise<void> => {
    const mine = turn.then(() => change(settings, values));
    turn = mine.catch(() => {});
    return mine;
  };
}

interface EndlessLoad {
  readonly over: Promise<void>;
  stop(): Promise<void>;
}

function startLoad({ tiers, values }: TrafficParts, watch: LoadWatch): EndlessLoad {
  const config = { ...loadConfigOf(values), durationS: LONG_S, rateProfile: [] };
  const { clientConnections: connections, clientTimeoutMs, seed } = config;
  const timeoutMs = Math.min(PATIENCE_MS, clientTimeoutMs);
  const attack = createAttack({ url: tiers[0]?.url ?? "", connections, timeoutMs, seed, clock });
  const stopping = new AbortController();
  const stop = stopping.signal;
  const send = (): Promise<void> =>
    openLoop({
      config,
      clock,
      attack,
      stop,
      onStart: () => {},
      onDue: () => watch.due(),
      onRecord: ({ outcome, latencyMs, lateMs }, sent) =>
        watch.ended({ outcome, latencyMs, sent, late: lateMs > LATE_AFTER_MS }),
    });
  // All programs are started at once: load on a chain that is not up would only show refusals.
  const ready = awaitReady({ tiers: tiers.map((address) => createTier(address, clock)), clock, stop });
  const over = ready.then(() => (stop.aborted ? undefined : send()));
  return {
    over,
    stop: async () => {
      stopping.abort();
      await over.catch(() => {});
      await attack.close();
    },
  };
}

/**
 * Starts the server at once, and the load as soon as every tier is ready. Rejects with a `ListenError`, with nothing left
 * running; `over` rejects with a `TierError` where a tier does not get ready.
 */
export async function startTraffic(parts: TrafficParts): Promise<Traffic> {
  const { values, say } = parts;
  const metrics = createMetrics("load");
  const watch = measuringLoad(metrics);
  watch.runs(infoOf(values));
  const server = await serveMetrics({
    metrics,
    host: values.text("HOST"),
    port: values.number("PORT"),
    clock: realClock,
    onError: (error) => say(`a request broke the traffic's own server: ${String(error)}`),
    onPolicy: createSwitch(parts, watch),
  });
  const load = startLoad(parts, watch);
  return {
    port: server.port,
    over: load.over,
    stop: async () => {
      await load.stop();
      await new Promise<void>((resolve) => server.stop(GRACE_MS, resolve));
    },
  };
}
