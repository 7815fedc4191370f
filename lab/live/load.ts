/** The continuous load of the live page and of the dashboards: the generator's own schedule, pacer and attack, without an end. */
import { createAttack, type OnRecord } from "../../loadgen/attack.ts";
import { startPacer } from "../../loadgen/pacer.ts";
import type { ScheduleConfig } from "../../loadgen/schedule.ts";
import { realClock } from "../../services/platform/clock.ts";
import { monotonicMs } from "../../services/platform/monotonic.ts";
import type { Values } from "../../services/platform/values.ts";

/** Eleven days are longer than any demonstration. */
const LONG_S = 1_000_000;
/** A client's patience where the settings set none: what waits longer is nobody's demonstration. In milliseconds. */
const PATIENCE_MS = 10_000;

export interface LiveLoad {
  /** Client requests that have become due. */
  due(): number;
  /** Rejects when the load cannot go on. */
  readonly over: Promise<void>;
  stop(): Promise<void>;
}

function scheduleOf(values: Values): ScheduleConfig {
  return {
    rate: values.number("RATE"),
    durationS: LONG_S,
    arrivals: values.text("ARRIVALS") === "poisson" ? "poisson" : "constant",
    rateProfile: [],
    seed: values.number("SEED"),
    writeShare: values.number("WRITE_SHARE"),
    idempotencyKeys: values.flag("IDEMPOTENCY_KEYS"),
  };
}

/**
 * Starts it against the first tier at `url`; each request that ends is handed to `record`, and `onDue` is told of each that
 * becomes due.
 */
export function startLoad(
  url: string,
  values: Values,
  record: OnRecord,
  onDue: () => void = () => {},
): LiveLoad {
  const attack = createAttack({
    url,
    connections: values.number("CLIENT_CONNECTIONS"),
    timeoutMs: Math.min(PATIENCE_MS, values.number("CLIENT_TIMEOUT_MS")),
    seed: values.number("SEED"),
    clock: { now: monotonicMs, after: (delayMs, run) => realClock.after(delayMs, run) },
  });
  let due = 0;
  let startMs = 0;
  const pacer = startPacer({
    config: scheduleOf(values),
    onStart: (ms) => {
      startMs = ms;
    },
    onDue: (arrival) => {
      due += 1;
      onDue();
      attack.send(arrival, startMs, record);
    },
  });
  return {
    due: () => due,
    over: pacer.over,
    stop: async () => {
      pacer.stop();
      await pacer.over.catch(() => {});
      await attack.close();
    },
  };
}
