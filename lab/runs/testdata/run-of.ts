/** A run in virtual time for tests: the naive policy of policies/, and what the test is about on top of it. */
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { resolveEnvironment } from "../../../services/settings/resolve.ts";
import { makeVirtualRun } from "../virtual-run.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export type Settings = Readonly<Record<string, string>>;

/** @throws ConfigError when the settings contradict each other */
export function runOf(settings: Settings, policy = "naive"): RunSummary {
  const explicit = { WORLD: "virtual", DURATION_S: "10", ...settings };
  return makeVirtualRun(resolveEnvironment({ root, policy, overrides: { explicit, ambient: {} } }).env).summary;
}
