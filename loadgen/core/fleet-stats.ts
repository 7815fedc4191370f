/**
 * The counters of a hop's instances as those of one hop: the tiers are reconciled by them, whichever instance
 * counted.
 */
import type { HopStats } from "../../services/contract/stats.ts";

function sums<Key extends string>(parts: readonly Readonly<Record<Key, number>>[]): Record<Key, number> {
  const total = {} as Record<Key, number>;
  for (const part of parts) {
    for (const [key, count] of Object.entries(part) as [Key, number][]) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}

/** null, for no limit, where one of them has none. */
function balanceOf(instances: readonly HopStats[]): number | null {
  let sum = 0;
  for (const { budgetBalance } of instances) {
    if (budgetBalance === null) return null;
    sum += budgetBalance;
  }
  return sum;
}

/** Nothing where no instance has heard of it. */
function awayOf<What extends "store" | "spans">(what: What, instances: readonly HopStats[]): Pick<HopStats, What> | {} {
  const heard = instances.flatMap((instance) => instance[what] ?? []);
  if (heard.length === 0) return {};
  const answers = heard.reduce((sum, each) => sum + each.answers, 0);
  return { [what]: { answers, awayMs: Math.max(...heard.map(({ awayMs }) => awayMs)) } };
}

/**
 * CPU time and age are added up as well, so that one through the other is the mean share of a core; the lag is that of
 * the worst, since one instance that is late makes its share of the requests late.
 * @param instances one or more
 */
export function sumOfInstances(instances: readonly [HopStats, ...HopStats[]]): HopStats {
  const sum = (count: (stats: HopStats) => number): number =>
    instances.reduce((total, stats) => total + count(stats), 0);
  return {
    service: instances[0].service,
    kind: "hop",
    inFlight: sum(({ inFlight }) => inFlight),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    uptimeMs: sum(({ uptimeMs }) => uptimeMs),
    loopLagP99Ms: Math.max(...instances.map(({ loopLagP99Ms }) => loopLagP99Ms)),
    arrivals: sum(({ arrivals }) => arrivals),
    attempts: sum(({ attempts }) => attempts),
    unsent: sum(({ unsent }) => unsent),
    attemptOutcomes: sums(instances.map(({ attemptOutcomes }) => attemptOutcomes)),
    outcomes: sums(instances.map(({ outcomes }) => outcomes)),
    stopReasons: sums(instances.map(({ stopReasons }) => stopReasons)),
    hedges: sums(instances.map(({ hedges }) => hedges)),
    budgetBalance: balanceOf(instances),
    ...awayOf("store", instances),
    ...awayOf("spans", instances),
  };
}
