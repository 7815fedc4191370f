/** The continuous load of the live page: the generator's own warm-up, schedule, pacer and attack, without an end. */
import { createAttack, type OnRecord } from "../../loadgen/send/attack.ts";
import { loadConfigOf } from "../../loadgen/core/config.ts";
import { startPacer, type Pacer } from "../../loadgen/send/pacer.ts";
import { beginRun, warmUp } from "../../loadgen/run/prepare.ts";
import type { Tier } from "../../loadgen/run/tiers.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import type { Values } from "../../services/settings/values.ts";
import type { Clock } from "../../services/policy/clock.ts";

/** Eleven days are longer than any demonstration. */
const LONG_S = 1_000_000;
/** A client's patience where the settings set none: what waits longer is nobody's demonstration. In milliseconds. */
const PATIENCE_MS = 10_000;
/** Cold services are slow enough to start a storm by themselves. In seconds. */
const WARM_S = 3;

/** The schedule's thread and the sender must read the same clock. */
export const clock: Clock = { ...realClock, now: monotonicMs };

export interface LoadParts {
  /** From the client's side down. */
  readonly tiers: readonly Tier[];
  readonly values: Values;
  readonly record: OnRecord;
  readonly stop: AbortSignal;
}

export interface LiveLoad {
  /** Client requests that have become due. */
  due(): number;
  /** Begins to send. Rejects when the load cannot go on; resolves when it was stopped. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Warms the chain up and sets its counters to zero; nothing is sent after that until `run`. */
export async function prepareLoad({ tiers, values, record, stop }: LoadParts): Promise<LiveLoad> {
  const config = loadConfigOf(values);
  const { clientConnections: connections, clientTimeoutMs, seed } = config;
  const timeoutMs = Math.min(PATIENCE_MS, clientTimeoutMs);
  const attack = createAttack({ url: tiers[0]?.url ?? "", connections, timeoutMs, seed, clock });
  let pacer: Pacer | undefined;
  let due = 0;
  let startMs = 0;
  const load: LiveLoad = {
    due: () => due,
    run() {
      pacer = startPacer({
        config: { ...config, durationS: LONG_S, rateProfile: [] },
        onStart: (ms) => {
          startMs = ms;
        },
        onDue: (arrival) => {
          due += 1;
          attack.send(arrival, startMs, record);
        },
      });
      return pacer.over;
    },
    async stop() {
      pacer?.stop();
      await pacer?.over.catch(() => {});
      await attack.close();
    },
  };
  try {
    const stage = { tiers, clock, attack, stop };
    await warmUp(stage, { ...config, warmupS: WARM_S });
    await beginRun(stage, seed);
    return load;
  } catch (error) {
    await load.stop();
    throw error;
  }
}
