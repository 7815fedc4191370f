/**
 * Whether a run may be believed, and if not, why not.
 *
 * A load test is easily wrong without looking wrong: a generator that falls behind offers less than it says, a machine
 * without CPU to spare measures itself, counts that do not add up count something else. Such a run still gives its
 * numbers, but it says INVALID, and this file says why. A run that was disturbed too little to change what came of it is
 * VALID, NOISY; how little that is, docs/invalid.md derives.
 */
import type { RunSummary, TierSummary, Validity } from "./run-summary.ts";
import { duration, percent } from "./format.ts";
import { harmlessMs, type Yardsticks } from "./harmless.ts";

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

/** What helps against a machine that is too slow, or too busy. */
const CURE =
  "Use WORLD=virtual, which needs no quiet machine, or lower RATE and CAPACITY in proportion, or stop what else runs here.";

/** How the grades are called. */
export const GRADES: Readonly<Record<Validity, string>> = { valid: "VALID", noisy: "VALID, NOISY", invalid: "INVALID" };

export interface Evidence extends Yardsticks {
  readonly generator: RunSummary["generator"];
  readonly underWay: number;
  /** Client requests that were sent and that the first tier has not seen. */
  readonly clientLost: number;
  /** Keyed by name, from the client's side down. */
  readonly tiers: Readonly<Record<string, TierSummary>>;
  /** 99th percentile of each process's event loop lag in milliseconds, by its name: load, and the tiers. */
  readonly lagMs: Readonly<Record<string, number>>;
  /** Calls to the backend that its caller gave up on, as a share of all, 0 to 1. */
  readonly timeoutShare: number;
  /** Whether the modelled backend can have caused a timeout: by a queue, or by a latency longer than the timeout. */
  readonly backendIsSlow: boolean;
  readonly incidents: readonly string[];
}

/** Something that was late. */
interface Delay {
  readonly ms: number;
  readonly text: string;
}

/** That the load program sent too many requests late, as far as it did. */
function latenessOf({ mode, scheduled, late, lateP99Ms, lateMaxMs }: RunSummary["generator"]): Delay[] {
  if (mode === "closed" || (late <= MOST_LATE * scheduled && (lateP99Ms ?? 0) <= LATE_AFTER_MS)) return [];
  const size = `(p99 ${duration(lateP99Ms)}, at most ${duration(lateMaxMs)})`;
  const text = `${late} of ${scheduled} requests went out more than ${LATE_AFTER_MS} ms late ${size}`;
  return [{ ms: lateMaxMs ?? 0, text }];
}

function lagsOf(lagMs: Evidence["lagMs"]): Delay[] {
  return Object.entries(lagMs).flatMap(([name, ms]) =>
    ms > MOST_LAG_MS ? [{ ms, text: `${name}'s event loop was ${duration(ms)} late at p99` }] : [],
  );
}

function generatorReasons({ scheduled, dropped }: RunSummary["generator"], harmful: readonly Delay[]): string[] {
  const reasons: string[] = [];
  if (scheduled === 0) {
    reasons.push(
      "nothing was measured: no request was due, so there is nothing to judge. Look at RATE, RATE_PROFILE and DURATION_S.",
    );
  }
  for (const { text } of harmful) {
    reasons.push(
      `the generator could not keep its schedule: ${text}; the process that was late is load. ${CURE} If the requests waited for a connection: more CLIENT_CONNECTIONS.`,
    );
  }
  if (dropped > 0) {
    reasons.push(
      `${dropped} requests were due and never sent: the first tier gave no connection. Raise CLIENT_CONNECTIONS, or see whether that tier still accepts connections.`,
    );
  }
  return reasons;
}

function machineReasons({ generator, tiers }: Evidence, harmful: readonly Delay[]): string[] {
  const shares: [string, number | null][] = [
    ["load", generator.cpuShare],
    ...Object.entries(tiers).map(([name, { cpuShare }]): [string, number | null] => [name, cpuShare]),
  ];
  const busy = shares.flatMap(([name, share]) =>
    share !== null && share > MOST_CPU ? [`${name} used ${percent(share)} of a core`] : [],
  );
  const signs = [...busy, ...harmful.map(({ text }) => text)];
  if (signs.length === 0) return [];
  return [`the machine was saturated, so it measured itself and not the policy: ${signs.join("; ")}. ${CURE}`];
}

function bottleneckReasons({ timeoutShare, backendIsSlow }: Evidence): string[] {
  if (backendIsSlow || timeoutShare <= MOST_TIMEOUTS) return [];
  return [
    `${percent(timeoutShare)} of the backend calls timed out although the modelled backend never had a queue: the machine was the bottleneck, not the backend. ${CURE}`,
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
          `the counts do not add up: ${from} sent ${Math.abs(lost)} ${lost > 0 ? "more" : "fewer"} requests than ${to} has seen. Something else calls ${to}, or connections broke, as they do where open files are too few (ulimit -Hn).`,
        ],
  );
}

/** A run's grade, and why it has not the best one: a sentence for each reason. */
export type Verdict = Pick<RunSummary, "valid" | "validity" | "invalidReasons" | "noisyReasons">;

export function gradeOf(evidence: Evidence): Verdict {
  const { incidents, generator } = evidence;
  const harmless = harmlessMs(evidence);
  const [lateness, lags] = [latenessOf(generator), lagsOf(evidence.lagMs)];
  const harmful = ({ ms }: Delay): boolean => ms > harmless;
  const invalidReasons = [
    ...incidents,
    ...generatorReasons(generator, lateness.filter(harmful)),
    ...machineReasons(evidence, lags.filter(harmful)),
    ...bottleneckReasons(evidence),
    // After an incident the counts are those of a moment: that they do not add up says nothing new.
    ...(incidents.length > 0 ? [] : countReasons(evidence)),
  ];
  const noisyReasons = [...lateness, ...lags]
    .filter((delay) => !harmful(delay))
    .map(({ text }) => `${text}; up to ${duration(harmless)} cannot have changed what came of this run`);
  const valid = invalidReasons.length === 0;
  const validity = !valid ? "invalid" : noisyReasons.length > 0 ? "noisy" : "valid";
  return { valid, validity, invalidReasons, noisyReasons };
}
