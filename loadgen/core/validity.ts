/**
 * Whether a run may be believed, and if not, why not.
 *
 * A load test is easily wrong without looking wrong: a generator that falls behind offers less than it says, a machine
 * without CPU to spare measures itself, counts that do not add up count something else. Such a run still gives its
 * numbers, but it says INVALID, and this file says why.
 */
import type { RunSummary, TierSummary } from "./run-summary.ts";
import { duration, percent } from "./format.ts";

/** A request sent later than this after it was due counts as late, in milliseconds. */
export const LATE_AFTER_MS = 5;
/** More than this share of late requests is another load than the one that was asked for. */
const MOST_LATE = 0.01;
/** Above this share of a core a process has no room left for a burst. */
const MOST_CPU = 0.9;
/** An event loop that is later than this, 99th percentile, adds more to a call than the backend's own latency. */
const MOST_LAG_MS = 50;
/** Timeouts below this share of the calls may be chance. */
const MOST_TIMEOUTS = 0.01;

export interface Evidence {
  readonly generator: RunSummary["generator"];
  readonly underWay: number;
  /** Client requests that were sent and that the first tier has not seen. */
  readonly clientLost: number;
  /** Keyed by name, from the client's side down. */
  readonly tiers: Readonly<Record<string, TierSummary>>;
  /** 99th percentile of each process's event loop lag in milliseconds, by tier. */
  readonly lagMs: Readonly<Record<string, number>>;
  /** Calls to the backend that its caller gave up on, as a share of all, 0 to 1. */
  readonly timeoutShare: number;
  /** Whether the modelled backend can have caused a timeout: by a queue, or by a latency longer than the timeout. */
  readonly backendIsSlow: boolean;
  readonly incidents: readonly string[];
}

function generatorReasons({ mode, scheduled, dropped, late, lateP99Ms, lateMaxMs }: RunSummary["generator"]): string[] {
  const reasons: string[] = [];
  if (scheduled === 0) {
    reasons.push(
      "nothing was measured: no request was due, so there is nothing to judge. Look at RATE, RATE_PROFILE and DURATION_S.",
    );
  }
  if (mode === "open" && (late > MOST_LATE * scheduled || (lateP99Ms ?? 0) > LATE_AFTER_MS)) {
    reasons.push(
      `the generator could not keep its schedule: ${late} of ${scheduled} requests went out more than ${LATE_AFTER_MS} ms late (p99 ${duration(lateP99Ms)}, at most ${duration(lateMaxMs)}). Give it more CPU, more CLIENT_CONNECTIONS, or a lower RATE.`,
    );
  }
  if (dropped > 0) {
    reasons.push(
      `${dropped} requests were due and never sent: the first tier gave no connection. Raise CLIENT_CONNECTIONS, or see whether that tier still accepts connections.`,
    );
  }
  return reasons;
}

function machineReasons({ generator, tiers, lagMs }: Evidence): string[] {
  const shares: [string, number | null][] = [
    ["load", generator.cpuShare],
    ...Object.entries(tiers).map(([name, { cpuShare }]): [string, number | null] => [name, cpuShare]),
  ];
  const busy = shares.flatMap(([name, share]) =>
    share !== null && share > MOST_CPU ? [`${name} used ${percent(share)} of a core`] : [],
  );
  const lagging = Object.entries(lagMs).flatMap(([name, lag]) =>
    lag > MOST_LAG_MS ? [`${name}'s event loop was ${duration(lag)} late at p99`] : [],
  );
  const signs = [...busy, ...lagging];
  if (signs.length === 0) return [];
  return [
    `the machine was saturated, so it measured itself and not the policy: ${signs.join("; ")}. Lower RATE and CAPACITY in proportion, or stop what else runs here.`,
  ];
}

function bottleneckReasons({ timeoutShare, backendIsSlow }: Evidence): string[] {
  if (backendIsSlow || timeoutShare <= MOST_TIMEOUTS) return [];
  return [
    `${percent(timeoutShare)} of the backend calls timed out although the modelled backend never had a queue: the machine was the bottleneck, not the backend. Lower RATE and CAPACITY in proportion.`,
  ];
}

function countReasons({ underWay, clientLost, tiers }: Evidence): string[] {
  if (underWay > 0) {
    return [
      `${underWay} requests were still under way when the wait for them ended, so the counts are not final. Raise DRAIN_S, or give the policy a deadline.`,
    ];
  }
  const names = Object.keys(tiers);
  const gaps = [
    ["load", clientLost, names[0]] as const,
    ...names.map((name, i) => [name, tiers[name]?.lost ?? 0, names[i + 1]] as const),
  ];
  return gaps.flatMap(([from, lost, to]) =>
    lost === 0 || to === undefined
      ? []
      : [
          `the counts do not add up: ${from} sent ${Math.abs(lost)} ${lost > 0 ? "more" : "fewer"} requests than ${to} has seen. Something else calls ${to}, or connections broke.`,
        ],
  );
}

/** Why the run may not be believed, one sentence each; empty for a valid one. */
export function invalidReasons(evidence: Evidence): string[] {
  const { incidents } = evidence;
  return [
    ...incidents,
    ...generatorReasons(evidence.generator),
    ...machineReasons(evidence),
    ...bottleneckReasons(evidence),
    // After an incident the counts are those of a moment: that they do not add up says nothing new.
    ...(incidents.length > 0 ? [] : countReasons(evidence)),
  ];
}
