/** The virtual run that the settings ask for: each knob means here what it means to the programs over HTTP. */
import type { LoadConfig } from "../../../loadgen/core/config.ts";
import type { Arrival } from "../../../loadgen/core/schedule.ts";
import { backendConfigOf } from "../../../services/backend/config.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { serviceConfigOf } from "../../../services/http/service-config.ts";
import { ConfigError, type Values } from "../../../services/settings/values.ts";
import type { VirtualConfig } from "./core/run.ts";

/** The part of the generator's settings that is not in the schedule. */
export type LoadLimits = Pick<LoadConfig, "seed" | "durationS" | "drainS" | "clientTimeoutMs" | "clientConnections">;

/** What an experiment that runs in virtual time by itself may have been asked for, and there is none of there. */
function checkSingle(values: Values, tiers: readonly string[]): void {
  const problems = tiers.flatMap((hop) => {
    const { instances = 1, budget } = retryPolicyOf(values, hop);
    const found = [];
    if (instances > 1) found.push(`${hop} has ${instances} instances (INSTANCES)`);
    if (budget.fleet !== undefined) found.push(`${hop} shares its budget (BUDGET_SCOPE=fleet)`);
    return found.map((what) => `${what}, which virtual time does not know. Use WORLD=process.`);
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * @param tiers names of the hops, from the client's side down
 * @throws ConfigError where a hop has several instances, or shares a budget
 */
export function virtualConfigOf(
  values: Values,
  tiers: readonly string[],
  load: LoadLimits,
  arrivals: Iterable<Arrival>,
): VirtualConfig {
  checkSingle(values, tiers);
  return {
    seed: load.seed,
    hops: tiers.map((name) => ({ name, policy: retryPolicyOf(values, name) })),
    backend: backendConfigOf(values),
    oneWayMs: values.number("ONE_WAY_MS"),
    connections: serviceConfigOf(values).upstreamConnections,
    clientConnections: load.clientConnections,
    arrivals,
    durationMs: load.durationS * 1000,
    clientTimeoutMs: load.clientTimeoutMs,
    drainMs: load.drainS * 1000,
  };
}
