/** One virtual run made from settings, and what is known of it afterwards: the facts that `summarise` works on. */
import { loadConfigOf, type LoadConfig } from "../../../loadgen/core/config.ts";
import type { RunFacts, TierFacts } from "../../../loadgen/core/run-facts.ts";
import { schedule } from "../../../loadgen/core/schedule.ts";
import { ClientTally } from "../../../loadgen/output/tally.ts";
import { readValues, tiersOf } from "../../../services/settings/values.ts";
import type { WatchRun } from "./core/chain-watch.ts";
import type { OnVirtualRecord } from "./core/client.ts";
import { VirtualRun, type VirtualConfig } from "./core/run.ts";
import { virtualConfigOf } from "./config.ts";
import { descriptionsOf, statsOf } from "./stats.ts";

export interface VirtualMade {
  readonly load: LoadConfig;
  readonly config: VirtualConfig;
  readonly tally: ClientTally;
  readonly run: VirtualRun;
}

/** A run that stands at its beginning. @param env every knob with its value @throws ConfigError */
export function makeVirtual(
  env: Readonly<Record<string, string>>,
  onRecord: OnVirtualRecord,
  watch?: WatchRun,
): VirtualMade {
  const values = readValues(env);
  const load = loadConfigOf(values);
  const config = virtualConfigOf(values, tiersOf(env), load, schedule(load));
  const tally = new ClientTally();
  const record: OnVirtualRecord = (each, sent) => {
    tally.add(each, sent);
    onRecord(each, sent);
  };
  const run = new VirtualRun(config, record, watch);
  return { load, config, tally, run };
}

/** @param incidents what went wrong on the way, in words */
export function factsOf({ load, config, tally, run }: VirtualMade, incidents: readonly string[]): RunFacts {
  const { policy, scenario, seed, rate, durationS, rateProfile } = load;
  const result = run.result();
  const last = statsOf(result);
  const tiers = descriptionsOf(config).flatMap((description, i): TierFacts[] => {
    const stats = last[i];
    return stats === undefined ? [] : [{ description, last: stats }];
  });
  return {
    policy,
    world: "virtual",
    scenario,
    seed,
    startedAt: null,
    mode: "open",
    plan: { rate, durationS, rateProfile },
    loadedS: Math.min(durationS, result.atMs / 1000),
    elapsedS: result.atMs / 1000,
    client: tally.figures(result.due),
    clientCpuShare: null,
    clientLagMs: null,
    clientTimeoutMs: load.clientTimeoutMs,
    tiers,
    underWay: result.underWay,
    incidents,
  };
}
