/** What `bin/lab hedge` compares: kinds of slowness, and what a second copy does about each. */
import type { Arm } from "../../runs/run-arms.ts";

export interface HedgeScene {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly arms: readonly Arm[];
}

/** Two replicas far from their capacity, no errors, no retries, nobody gives up: what is slow is slow by itself. The user may
 * have it otherwise. */
export const CALM = {
  POLICY: "naive",
  RATE: "100",
  DURATION_S: "100",
  CAPACITY: "1000",
  ERROR_RATE: "0",
  REPLICAS: "2",
  LEAVE_ON_DISCONNECT: "1",
  MAX_ATTEMPTS: "1",
  ATTEMPT_TIMEOUT_MS: "off",
  EDGE_ATTEMPT_TIMEOUT_MS: "off",
} as const;

const NONE: Arm = { name: "no copies", settings: {} };
const AT_P95: Arm = { name: "at p95", settings: { HEDGE: "quantile" } };
const AFTER_20_MS: Arm = {
  name: "after 20 ms, for everyone",
  settings: { HEDGE: "delay", HEDGE_DELAY_MS: "20", HEDGE_RATIO: "1" },
};
const TIED: Arm = { name: "tied", settings: { HEDGE: "tied", HEDGE_RATIO: "1" } };

const SLOWER = { STRAGGLER_SHARE: "0.01", STRAGGLER_MS: "1000" };

export const HEDGE_SCENES: readonly HedgeScene[] = [
  {
    name: "one call in 100 takes a second longer",
    settings: SLOWER,
    arms: [NONE, AT_P95, AFTER_20_MS, TIED],
  },
  {
    name: "one order in 100 is slow at every replica",
    settings: { ...SLOWER, STRAGGLERS_BY: "order" },
    arms: [NONE, AT_P95],
  },
  {
    name: "one replica of two is slow",
    settings: { REPLICAS: "2", SLOW_REPLICA: "1", STRAGGLER_MS: "1000" },
    arms: [NONE, AT_P95, AFTER_20_MS],
  },
  {
    name: "one replica of two has a quarter of the other's capacity, so that its queue is longer",
    settings: { RATE: "50", CAPACITY: "100", CAPACITY_BURST: "2", WEAK_REPLICA: "1", WEAK_REPLICA_SHARE: "0.4" },
    arms: [NONE, AT_P95, AFTER_20_MS, TIED],
  },
  {
    name: "four times what the backend can carry, shed",
    settings: { RATE: "200", CAPACITY: "50", QUEUE_LIMIT: "10" },
    arms: [NONE, AFTER_20_MS],
  },
];
