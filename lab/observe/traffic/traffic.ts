/**
 * Load without end for the dashboards, with its metrics, and with the one switch of the chain: `PUT /policy` here hands
 * another policy on to every tier.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createEndlessLoad } from "../../../loadgen/run/endless.ts";
import { changeAll, createTier, type Tier } from "../../../loadgen/run/tiers.ts";
import { LATE_AFTER_MS } from "../../../loadgen/core/validity.ts";
import { sharedClock } from "../../../services/real-time/clock.ts";
import type { LoadWatch } from "../../../loadgen/output/load-metrics.ts";
import { startLoadMetrics } from "../../../loadgen/output/metrics-endpoint.ts";
import { loadConfigOf } from "../../../loadgen/core/config.ts";
import type { TierAddress } from "../../../services/settings/addresses.ts";
import type { Values } from "../../../services/settings/values.ts";

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

/** One switch at a time, in their order. */
function createSwitch(tiers: readonly Tier[], { say, values: first }: TrafficParts, watch: LoadWatch) {
  const backend = tiers.at(-1);
  let turn: Promise<void> = Promise.resolve();
  let inForce: Readonly<Record<string, string>> = first.effective();
  const change = async (settings: Readonly<Record<string, string>>, values: Values): Promise<void> => {
    if (backend === undefined) return;
    await changeAll(tiers, settings, inForce);
    inForce = settings;
    const faults = { capacity: values.number("CAPACITY"), errorRate: values.number("ERROR_RATE") };
    try {
      await emptyQueue(backend);
    } finally {
      await backend.changeFaults(faults);
    }
    watch.runs(loadConfigOf(values));
    say(`policy ${values.text("POLICY")}`);
  };
  return (settings: Readonly<Record<string, string>>, values: Values): Promise<void> => {
    const mine = turn.then(() => change(settings, values));
    turn = mine.catch(() => {});
    return mine;
  };
}

function startLoad(tiers: readonly Tier[], values: Values, watch: LoadWatch) {
  const load = createEndlessLoad({
    tiers,
    values,
    onDue: () => watch.due(),
    onRecord: ({ outcome, latencyMs, lateMs }, sent) =>
      watch.ended({ outcome, latencyMs, sent, late: lateMs > LATE_AFTER_MS }),
  });
  // All programs are started at once: load on a chain that is not up would only show refusals.
  return { over: load.ready().then(() => load.run()), stop: () => load.stop() };
}

/** A tier takes another policy in the middle of a storm. In milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Starts the server at once, and the load as soon as every tier is ready. Rejects with a `ListenError`, with nothing
 * left running; `over` rejects with a `TierError` where a tier does not get ready.
 */
export async function startTraffic(parts: TrafficParts): Promise<Traffic> {
  const { values } = parts;
  const tiers = parts.tiers.map((address) => createTier(address, sharedClock, () => ANSWER_WITHIN_MS));
  const listen = { host: values.text("HOST"), port: values.number("PORT") };
  const metrics = await startLoadMetrics(loadConfigOf(values), listen, (watch) => createSwitch(tiers, parts, watch));
  const load = startLoad(tiers, values, metrics.watch);
  return {
    port: metrics.port,
    over: load.over,
    stop: async () => {
      await load.stop();
      await metrics.stop();
    },
  };
}
