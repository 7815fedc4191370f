/** All dashboards, by the name of their file in grafana/dashboards. */
import type { Dashboard } from "@grafana/grafana-foundation-sdk/dashboard";
import { POLICY_INTERNALS } from "./policy-internals.ts";
import { STORM_DASHBOARD } from "./storm.ts";

const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  "storm.json": STORM_DASHBOARD,
  "policy-internals.json": POLICY_INTERNALS,
};

/** The files' texts by their names. */
export function dashboardFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, board]) => [name, `${JSON.stringify(board, null, 2)}\n`]),
  );
}
