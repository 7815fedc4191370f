/** The summary as text, in the form of the published table. Without colour it is `summary.txt`. */
import pc from "picocolors";
import type { AwayStats } from "../../services/contract/stats.ts";
import type { RunSummary } from "../core/run-summary.ts";
import { bound, count, duration, percent, rate, seconds, times } from "../core/format.ts";
import { ratioOf } from "../core/ratio.ts";
import { GRADES } from "../core/validity.ts";
import { narrowText } from "./narrow-text.ts";
import { sparkline } from "./sparkline.ts";

type Colours = ReturnType<typeof pc.createColors>;

const atMost = (most: number | null): string => (most === null ? bound(most) : `bound ${bound(most)}`);

function counts(of: Readonly<Record<string, number | undefined>>): string {
  const entries = Object.entries(of).flatMap(([name, n = 0]) => (n > 0 ? [[name, n] as const] : []));
  const sorted = entries.toSorted(([, a], [, b]) => b - a);
  return sorted.length === 0 ? "none" : sorted.map(([name, n]) => `${name} ${count(n)}`).join(" · ");
}

const row = (label: string, text: string): string => `  ${label.padEnd(15)}${text}`;

function headLine(run: RunSummary, { bold }: Colours): string {
  const { policy, scenario, world, seed, offeredRps, durationSeconds } = run;
  return `${bold(policy)} · ${scenario} · ${world} · seed ${seed} · ${rate(offeredRps)} for ${seconds(durationSeconds)}`;
}

/** Amplification second by second, where there were seconds enough to see it move. */
function overTimeRow(overTime: readonly number[]): string[] {
  if (overTime.length < 2) return [];
  const most = Math.max(1, ...overTime);
  return [row("over time", `${sparkline(overTime, most)}   to ${times(most)}`)];
}

function resultRows(run: RunSummary, overTime: readonly number[], { bold }: Colours): string[] {
  const { p50, p90, p99, max } = run.latencyMs;
  const { backendCalls, wastedBackendCalls, duplicateEffects, effects } = run;
  const wasted = wastedBackendCalls === 0 ? "" : `, ${count(wastedBackendCalls)} of them wasted: the caller had gone`;
  return [
    row(
      "succeeded",
      bold(percent(run.successRate)) + `   ${count(run.succeeded)} of ${count(run.clientRequests)} requests`,
    ),
    bold(row("AMPLIFICATION", `${times(run.amplification)}   (${atMost(run.amplificationBound)})`)),
    ...overTimeRow(overTime),
    row(
      "latency",
      [`p50 ${duration(p50)}`, `p90 ${duration(p90)}`, `p99 ${duration(p99)}`, `max ${duration(max)}`].join("   "),
    ),
    row("backend calls", `${count(backendCalls)}${wasted}`),
    row("outcomes", counts(run.outcomes)),
    row("edge stopped", counts(run.stopReasons)),
    ...(effects > 0
      ? [row("writes done", `${count(effects)}, ${count(duplicateEffects)} of them more than once`)]
      : []),
  ];
}

/** The contrast that a closed loop is made for has to be read with care. */
const CLOSED_NOTE =
  "CLOSED LOOP: each connection waits for its answer before it sends again, and latency counts from the actual send. It slows down with the service, so it hides the storm.";

function tierRows({ tiers, clientRequests }: RunSummary, { dim }: Colours): string[] {
  const head = `  ${"tier".padEnd(12)}${"arrivals".padStart(9)}${"attempts".padStart(10)}   ${"per arrival".padEnd(23)}${"CPU".padStart(7)}`;
  const lines = Object.entries(tiers).map(([name, { arrivals, attempts, bound: most, cpuShare }]) => {
    const isLast = name === Object.keys(tiers).at(-1);
    const share = arrivals === 0 ? times(null) : `${times(attempts / arrivals)} (${atMost(most)})`;
    const calls = isLast ? "–" : count(attempts);
    const each = isLast ? `${times(ratioOf(arrivals, clientRequests))} per request` : share;
    return `  ${name.padEnd(12)}${count(arrivals).padStart(9)}${calls.padStart(10)}   ${each.padEnd(23)}${percent(cpuShare).padStart(7)}`;
  });
  return [dim(head), ...lines, ...missingCalls(tiers), ...absentHelpers(tiers), ...ofDefences(tiers)];
}

/** Attempts that the tier below never saw: without this line the columns would not add up. */
function missingCalls(tiers: RunSummary["tiers"]): string[] {
  return Object.entries(tiers).flatMap(([name, { unsent, lost }]) => [
    ...(unsent > 0 ? [`  ${name}: ${unsent} attempts ended before they had a connection`] : []),
    ...(lost > 0 ? [`  ${name}: ${lost} attempts got lost on the wire`] : []),
  ]);
}

/** What stands beside the chain and did not answer a tier, and what that means. */
export function absentHelpers(tiers: RunSummary["tiers"]): string[] {
  const told = (name: string, what: string, meaning: string, away: AwayStats | undefined): string[] => {
    if (away === undefined || away.awayMs === 0) return [];
    const never = away.answers === 0 ? " and never did" : "";
    return [`  ${name}: the ${what} did not answer for ${duration(away.awayMs)}${never}; ${meaning}`];
  };
  return Object.entries(tiers).flatMap(([name, { store, spans }]) => [
    ...told(name, "budget store", "without it there is only the floor", store),
    ...told(name, "collector of spans", "spans may be missing, and nothing else", spans),
  ]);
}

/** Requests that a hop did not take on, and second copies: said only where there are any. */
function ofDefences(tiers: RunSummary["tiers"]): string[] {
  return Object.entries(tiers).flatMap(([name, { arrivals, stopReasons, hedged }]) => {
    const { shed = 0 } = stopReasons;
    const refused = `  ${name}: ${shed} of ${arrivals} requests shed before an attempt`;
    const copies =
      hedged === undefined
        ? []
        : [
            `  ${name}: hedged ${hedged.sent} requests, ${hedged.won} won by the copy; held back ${hedged.suppressed} by signs of overload, ${hedged.denied} by the budget`,
          ];
    return [...(shed > 0 ? [refused] : []), ...copies];
  });
}

/**
 * Beyond all of it: what the backend had saved up and what it answers after the load's end count for much in a short
 * run.
 */
function limitLine({ limit, goodputOfLimit }: RunSummary): string {
  if (limit.successRate === null) return "  limit: none, since nothing was offered";
  const best = `  limit: ${percent(limit.successRate)} at ${times(limit.amplification)}`;
  if (goodputOfLimit === null) return `${best}: no policy could have had a good answer here`;
  const beyond = goodputOfLimit > 1 ? " (more than a longer one can)" : "";
  return `${best}; this run reached ${percent(goodputOfLimit)} of it${beyond}`;
}

function generatorLine({ generator }: RunSummary): string {
  const { mode, scheduled, sent, late, lateP99Ms, cpuShare } = generator;
  const cpu = cpuShare === null ? "" : `, CPU ${percent(cpuShare)}`;
  if (mode === "closed") return `  generator: closed loop, ${count(sent)} sent${cpu}`;
  return `  generator: open loop, ${count(sent)} of ${count(scheduled)} sent, ${count(late)} late (p99 ${duration(lateP99Ms)})${cpu}`;
}

function verdictLines(run: RunSummary, { green, red, bold }: Colours): string[] {
  const grade = GRADES[run.validity];
  if (run.validity === "valid") return [bold(green(grade))];
  if (run.validity === "noisy") return [`${bold(green(grade))}: ${run.noisyReasons.join("; ")}`];
  return [bold(red(grade)), ...run.invalidReasons.map((reason) => red(`  - ${reason}`))];
}

/**
 * @param report where the report lies; undefined where none could be written
 * @param colour whether to colour it
 * @param overTime amplification second by second
 */
export function summaryText(
  run: RunSummary,
  report: string | undefined,
  colour: boolean,
  overTime: readonly number[] = [],
): string {
  const colours = pc.createColors(colour);
  const lines = [
    headLine(run, colours),
    ...(run.generator.mode === "closed" ? [colours.yellow(CLOSED_NOTE)] : []),
    "",
    ...resultRows(run, overTime, colours),
    "",
    ...tierRows(run, colours),
    "",
    limitLine(run),
    generatorLine(run),
    "",
    ...verdictLines(run, colours),
  ];
  const where = report === undefined ? "" : `report: ${report}\n`;
  return `${narrowText(lines.join("\n"))}\n${where}`;
}
