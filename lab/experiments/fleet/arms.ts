/** What `bin/lab fleet` compares: whose the retry budget of four apis is, and what becomes of its store. */
import type { RunEnv } from "../../runs/pool.ts";
import type { Arm } from "../../runs/run-arms.ts";

/**
 * Half of them start level, burst and floor, which a budget for each instance multiplies. The user may have it otherwise.
 * The edge never retries, so that what stands here for all hops is the apis' alone.
 */
export const SCENE: RunEnv = {
  POLICY: "budgeted",
  SCENARIO: "fleet",
  API_INSTANCES: "4",
  EDGE_MAX_ATTEMPTS: "1",
  BUDGET: "token-bucket",
  BUDGET_RATIO: "0.1",
  BUDGET_START: "10",
  BUDGET_BURST: "10",
  BUDGET_MIN_PER_S: "2",
  CAPACITY: "1000",
  ERROR_RATE: "0.5",
};

/** The store is the experiment's own, which disturbs it, and no affair of the edge's. */
const OWN_STORE: RunEnv = { BUDGET_STORE_URL: "", EDGE_BUDGET_SCOPE: "instance" };
const SHARED: RunEnv = { ...OWN_STORE, API_BUDGET_SCOPE: "fleet", API_BUDGET_FLOOR_PER_S: "0.25" };

export interface FleetArm extends Arm {
  /** What happens to the store once half of the requests have come; nothing where absent. */
  readonly signal?: "SIGKILL" | "SIGSTOP";
}

export const FLEET_ARMS: readonly FleetArm[] = [
  { name: "a budget each", settings: { ...OWN_STORE, API_BUDGET_SCOPE: "instance" } },
  { name: "one for all", settings: SHARED },
  { name: "one, its store killed", settings: SHARED, signal: "SIGKILL" },
  { name: "one, its store frozen", settings: SHARED, signal: "SIGSTOP" },
];
