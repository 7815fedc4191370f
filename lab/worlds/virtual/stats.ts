/**
 * A virtual run's counters in the form in which the services answer `GET /stats` and `POST /run`: what reads them
 * cannot tell the worlds apart. There is no process, so there is no CPU time and no lag.
 */
import { faultsIn } from "../../../services/contract/faults.ts";
import type { PolicyOnWire, RunDescription, ServiceStats } from "../../../services/contract/stats.ts";
import type { RetryPolicy } from "../../../services/policy/retry-policy.ts";
import type { ChainConfig } from "./core/chain.ts";
import type { VirtualResult } from "./core/run.ts";

const NO_PROCESS = { cpuMs: 0, uptimeMs: 0, loopLagP99Ms: 0 };

/** From the client's side down. */
export function statsOf({ hops, backend, faultsHistory, backendInFlight }: VirtualResult): ServiceStats[] {
  const ofHops = hops.map(({ name, budgetBalance, ...counts }): ServiceStats => ({
    kind: "hop",
    service: name,
    ...NO_PROCESS,
    ...counts,
    budgetBalance: budgetBalance === Infinity ? null : budgetBalance,
  }));
  return [
    ...ofHops,
    {
      kind: "backend",
      service: "backend",
      ...NO_PROCESS,
      ...backend,
      inFlight: backendInFlight,
      faultsHistory,
    },
  ];
}

function onWire(policy: RetryPolicy): PolicyOnWire {
  // Infinity has no form in JSON.
  return JSON.parse(JSON.stringify(policy)) as PolicyOnWire;
}

/** From the client's side down. */
export function descriptionsOf({ hops, backend }: ChainConfig): RunDescription[] {
  return [
    ...hops.map(({ name, policy }): RunDescription => ({
      service: name,
      kind: "hop",
      policy: onWire(policy),
    })),
    { service: "backend", kind: "backend", faults: faultsIn(backend) },
  ];
}
