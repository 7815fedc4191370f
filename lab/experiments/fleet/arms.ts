/** What `lab fleet` compares: whose the retry budget of four apis is, and what becomes of its store. */
import type { RunEnv } from "../../runs/pool.ts";
import type { Arm } from "../../runs/run-arms.ts";

/** Half of them start level, burst and floor, which a budget for each instance multiplies. */
export const SCENE: RunEnv = {
  POLICY: "budgeted",
  SCENARIO: "fleet",
  API_INSTANCES: "4",
  EDGE_MAX_ATTEMPTS: "1",
  API_BUDGET: "token-bucket",
  API_BUDGET_RATIO: "0.1",
  API_BUDGET_START: "10",
  API_BUDGET_BURST: "10",
  API_BUDGET_MIN_PER_S: "2",
  CAPACITY: "1000",
  ERROR_RATE: "0.5",
};

const SHARED: RunEnv = { API_BUDGET_SCOPE: "fleet", API_BUDGET_FLOOR_PER_S: "0.25" };

export interface FleetArm extends Arm {
  /** What happens to the store once half of the requests have come; nothing where absent. */
  readonly signal?: "SIGKILL" | "SIGSTOP";
}

export const FLEET_ARMS: readonly FleetArm[] = [
  { name: "a budget each", settings: { API_BUDGET_SCOPE: "instance" } },
  { name: "one for all", settings: SHARED },
  { name: "one, its store killed", settings: SHARED, signal: "SIGKILL" },
  { name: "one, its store frozen", settings: SHARED, signal: "SIGSTOP" },
];
