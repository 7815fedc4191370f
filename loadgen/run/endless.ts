/** Load without an end, as the live page and the dashboards show it: the open loop of a run, until it is stopped. */
import { sharedClock } from "../../services/real-time/clock.ts";
import type { Values } from "../../services/settings/values.ts";
import { loadConfigOf } from "../core/config.ts";
import { createAttack, type OnRecord } from "../send/attack.ts";
import { openLoop } from "../send/open.ts";
import { awaitReady, beginRun, warmUp } from "./prepare.ts";
import type { Tier } from "./tiers.ts";

/** Eleven days are longer than any demonstration. */
const LONG_S = 1_000_000;
/** A client's patience where the settings set none: who waits longer shows nothing. In milliseconds. */
const PATIENCE_MS = 10_000;
/** Cold services are slow enough to start a storm by themselves. In seconds. */
const WARM_S = 3;

export interface EndlessParts {
  /** From the client's side down. */
  readonly tiers: readonly Tier[];
  readonly values: Values;
  /** A client request has become due. */
  readonly onDue: () => void;
  readonly onRecord: OnRecord;
}

export interface EndlessLoad {
  /** Waits until every tier is ready. Rejects with a `TierError`. */
  ready(): Promise<void>;
  /** Warms the chain up and sets its counters to zero. Rejects with a `TierError`. */
  warmUp(): Promise<void>;
  /** Sends. Rejects when the load cannot go on; resolves when it was stopped. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export function createEndlessLoad({ tiers, values, onDue, onRecord }: EndlessParts): EndlessLoad {
  const config = { ...loadConfigOf(values), warmupS: WARM_S, durationS: LONG_S, rateProfile: [] };
  const { clientConnections: connections, clientTimeoutMs, seed } = config;
  const timeoutMs = Math.min(PATIENCE_MS, clientTimeoutMs);
  const clock = sharedClock;
  const attack = createAttack({ url: tiers[0]?.url ?? "", connections, timeoutMs, seed, clock });
  const stopping = new AbortController();
  const stage = { tiers, clock, attack, stop: stopping.signal };
  let work: Promise<void> = Promise.resolve();
  /** What is begun has ended before `stop` resolves. */
  const doing = (next: Promise<void>): Promise<void> => {
    work = next.catch(() => {});
    return next;
  };
  return {
    ready: () => doing(awaitReady(stage)),
    warmUp: () => doing(warmUp(stage, config).then(async () => void (await beginRun(stage, seed)))),
    run: () => doing(openLoop({ ...stage, config, onStart: () => {}, onDue, onRecord })),
    async stop() {
      stopping.abort();
      await work;
      await attack.close();
    },
  };
}
