/**
 * A tier of several instances, asked as if it were one service: it is ready when all are, and its counters are their
 * sum.
 */
import type { HopStats, ServiceStats } from "../../services/contract/stats.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { sumOfInstances } from "../core/fleet-stats.ts";
import { createTier, TierError, type Tier } from "./tiers.ts";

interface Address {
  readonly name: string;
  readonly url: string;
}

function hopStats({ name, url }: Tier, stats: ServiceStats): HopStats {
  if (stats.kind === "hop") return stats;
  throw new TierError(`${name} (${url}): only a hop has several instances: check CHAIN`);
}

async function sumOf(first: Tier, others: readonly Tier[]): Promise<HopStats> {
  const ask = async (tier: Tier): Promise<HopStats> => hopStats(tier, await tier.stats());
  const [one, ...rest] = await Promise.all([ask(first), ...others.map(ask)]);
  return sumOfInstances([one, ...rest]);
}

async function firstProblem(instances: readonly Tier[]): Promise<string | undefined> {
  const reasons = await Promise.all(instances.map((instance) => instance.readiness()));
  const i = reasons.findIndex((reason) => reason !== undefined);
  return i < 0 ? undefined : `its instance ${instances[i]?.url}: ${reasons[i]}`;
}

function asOne(first: Tier, others: readonly Tier[]): Tier {
  const instances = [first, ...others];
  return {
    ...first,
    readiness: () => firstProblem(instances),
    stats: () => sumOf(first, others),
    async changePolicy(settings) {
      await Promise.all(instances.map((instance) => instance.changePolicy(settings)));
    },
    async beginRun(seed, run) {
      const [description] = await Promise.all(instances.map((instance) => instance.beginRun(seed, run)));
      if (description === undefined) throw new Error("a tier has an instance");
      return description;
    },
  };
}

/**
 * @param chain from the client's side down; a tier of several instances stands once for each of them
 * @param patience an answer that takes longer is none, in milliseconds
 */
export function tiersOfChain(chain: readonly Address[], clock: Clock, patience?: () => number): Tier[] {
  const names = [...new Set(chain.map(({ name }) => name))];
  return names.flatMap((name) => {
    const own = chain.filter((address) => address.name === name).map((address) => createTier(address, clock, patience));
    const [first, ...others] = own;
    if (first === undefined) return [];
    return others.length === 0 ? [first] : [asOne(first, others)];
  });
}
