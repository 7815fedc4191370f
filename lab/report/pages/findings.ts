/** What a chart shows, as a sentence in numbers: the caption of its figure, and all of it for who cannot see it. */
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { RunData, StormPoint } from "../data/model.ts";
import { count, duration, list, percent, rate, rounded, seconds, times, value } from "../../../loadgen/core/format.ts";

/** The highest value of `of`, and when; undefined where nothing was measured. */
function peak(
  storm: readonly StormPoint[],
  of: (point: StormPoint) => number | null,
): { tS: number; value: number } | undefined {
  let best: { tS: number; value: number } | undefined;
  for (const point of storm) {
    const measured = of(point);
    if (measured !== null && (best === undefined || measured > best.value)) best = { tS: point.tS, value: measured };
  }
  return best;
}

const NOT_SAMPLED = "The backend was not sampled during this run, so only what the clients saw is drawn.";

export function headline({ offeredRps, amplification, successRate, limit }: RunSummary): string {
  if (amplification === null) return "Nothing was measured: no request was due.";
  const calls = rate(Math.round(offeredRps * amplification));
  return (
    `${rate(offeredRps)} offered became ${calls} at the backend: ${times(amplification)} for each request. ` +
    `${percent(successRate)} of the requests succeeded; at most ${percent(limit.successRate)} could have.`
  );
}

/** In how many of the intervals under load more calls came than the backend could take. */
function overCapacity(run: RunData): string {
  const loaded = run.storm.filter(
    ({ tS, calls, capacity }) => tS < run.loadEndsS && calls !== null && capacity !== null,
  );
  const over = loaded.filter(({ calls, capacity }) => (calls ?? 0) > (capacity ?? 0)).length;
  return over === 0
    ? "never more than it could take"
    : `more than it could take for ${percent(over / loaded.length)} of the time`;
}

/** Calls that outlive the load: what the callers gave up on is still worked off. */
function aftermath({ storm, loadEndsS }: RunData): string {
  const last = storm.findLast((point) => (point.calls ?? 0) > 0)?.tS ?? 0;
  const after = Math.round(last - loadEndsS);
  return after > 0 ? ` Calls went on for ${seconds(after)} after the load had ended.` : "";
}

export function stormFinding(run: RunData): string {
  const calls = peak(run.storm, (point) => point.calls);
  if (calls === undefined) return NOT_SAMPLED;
  const offered = Math.max(...run.storm.map((point) => point.offered ?? 0));
  return (
    `At most ${rate(rounded(offered, 1))} were offered. The backend got up to ${rate(rounded(calls.value, 1))}, ` +
    `${seconds(calls.tS)} into the run, and ${overCapacity(run)}.${aftermath(run)}`
  );
}

/** Why a single second may lie above a bound that holds. */
const lagging = (worst: number, bound: number): string =>
  worst <= bound ? "" : "; a single second can show more, since a call counts when it comes, not when its request did";

export function amplificationFinding({ storm, amplification, amplificationBound, limit }: RunData): string {
  const most = peak(storm, ({ perRequest }) => perRequest);
  if (most === undefined) return NOT_SAMPLED;
  const bound =
    amplificationBound === null
      ? "Nothing in this policy bounds it."
      : `Over a whole run this policy can reach ${times(amplificationBound)} at most${lagging(most.value, amplificationBound)}.`;
  return (
    `${times(amplification)} over the whole run, ${times(most.value)} at its worst second. ${bound} ` +
    `The best possible policy would need ${times(limit.amplification)}.`
  );
}

export function hopsFinding({ hops }: RunData): string {
  const factors = hops.slice(1).map(({ name, factor }) => `${times(factor)} before ${name}`);
  const last = hops.at(-1);
  if (last === undefined) return "No tier reported its counters.";
  if (last.perRequest === null) return "No hop was asked for anything.";
  return `Each hop multiplies what it gets: ${list(factors)}. That is ${times(last.perRequest)} at ${last.name}.`;
}

export function latencyFinding({ p50, p99, dots, clientRequests }: RunData): string {
  const shown =
    dots.length < clientRequests ? ` ${count(dots.length)} of the ${count(clientRequests)} requests are drawn.` : "";
  return `Half of all requests were answered within ${duration(p50)}, 99 % within ${duration(p99)}, failures included.${shown}`;
}

export function distributionFinding({ bins, clientRequests }: RunData): string {
  const total = bins.map(({ ok, other }) => ok + other);
  const most = total.indexOf(Math.max(...total));
  const bin = bins[most];
  if (bin === undefined) return "No request was recorded.";
  const share = percent(ratioOf(total[most] ?? 0, clientRequests));
  return `The fullest bar holds ${share} of all requests, answered in ${duration(bin.fromMs)} to ${duration(bin.toMs)}.`;
}

export function attemptsFinding({ attempts, clientRequests }: RunData): string {
  const once = attempts.find((bin) => bin.attempts === 1);
  const most = attempts.at(-1);
  if (most === undefined) return "No request was recorded.";
  const share = (bin: { ok: number; other: number } | undefined): string =>
    percent(ratioOf(bin === undefined ? 0 : bin.ok + bin.other, clientRequests));
  if (most.attempts <= 1)
    return `The first hop made one attempt for ${share(once)} of the requests and never a second.`;
  return (
    `The first hop was content with one attempt for ${share(once)} of the requests; ` +
    `${share(most)} took all ${value(most.attempts)} attempts.`
  );
}

/** What a comparison comes to. `runs` in the order of the page; more than none. */
export function ladderFinding(runs: readonly RunData[]): string {
  const best = runs.reduce((a, b) => ((b.successRate ?? 0) > (a.successRate ?? 0) ? b : a));
  const worst = runs.reduce((a, b) => ((b.successRate ?? 0) < (a.successRate ?? 0) ? b : a));
  const told = (run: RunData): string =>
    `${run.label}: ${percent(run.successRate)} succeeded at ${times(run.amplification)}`;
  const limit = `The limit was ${percent(best.limit.successRate)} at ${times(best.limit.amplification)}.`;
  return best === worst ? `${told(best)}. ${limit}` : `${told(worst)}; ${told(best)}. ${limit}`;
}

export function stormsFinding(runs: readonly RunData[]): string {
  const peaks = runs.flatMap(({ label, storm }) => {
    const most = peak(storm, ({ calls }) => calls);
    return most === undefined ? [] : [`${rate(rounded(most.value, 1))} under ${label}`];
  });
  return peaks.length === 0 ? NOT_SAMPLED : `The backend's busiest second: ${list(peaks)}.`;
}

export function tailsFinding(runs: readonly RunData[]): string {
  return `99 % were answered within ${list(runs.map(({ label, p99 }) => `${duration(p99)} under ${label}`))}, failures included.`;
}

export function costFinding(runs: readonly RunData[]): string {
  const costs = runs.map(({ label, amplification }) => `${times(amplification)} under ${label}`);
  return `Backend calls for each request: ${list(costs)}.`;
}

export function worstSecondsFinding(runs: readonly RunData[]): string {
  const worst = runs.flatMap(({ label, storm }) => {
    const most = peak(storm, ({ perRequest }) => perRequest);
    return most === undefined ? [] : [`${times(most.value)} under ${label}`];
  });
  return worst.length === 0
    ? NOT_SAMPLED
    : `The worst second: ${list(worst)}. A call counts in the second in which it comes, not in that of its request.`;
}
