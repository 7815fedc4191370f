/**
 * Where a difference between the two worlds comes from, in a few lines for each policy.
 *
 * Both worlds met the same arrivals and the same errors, so a difference shows as requests that ended otherwise, as
 * attempts that one tier made and the other did not, or as time that each request took longer.
 */
import { percent, times } from "../../../loadgen/core/format.ts";
import { median } from "simple-statistics";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { judge, type JudgedRuns, type RunPair, type TwinVerdict } from "./judgement.ts";
import { TWIN_MEASURES } from "./tolerances.ts";

interface Share {
  readonly name: string;
  readonly measured: number;
  readonly predicted: number;
}

/** Differences of a share below half a point are left out, as are attempts that differ by less than one in a hundred. */
const LEAST = { points: 0.005, attempts: 0.01 };

const total = (runs: readonly RunSummary[], of: (run: RunSummary) => number): number =>
  runs.reduce((sum, run) => sum + of(run), 0);

function shares(
  pairs: readonly RunPair[],
  names: readonly string[],
  of: (runs: readonly RunSummary[], name: string) => number,
): Share[] {
  const measured = pairs.map((pair) => pair.measured);
  const predicted = pairs.map((pair) => pair.predicted);
  return names.map((name) => ({ name, measured: of(measured, name), predicted: of(predicted, name) }));
}

function outcomeShares(pairs: readonly RunPair[]): Share[] {
  const names = [...new Set(pairs.flatMap(({ measured }) => Object.keys(measured.outcomes)))];
  return shares(
    pairs,
    names,
    (runs, name) =>
      total(runs, ({ outcomes }) => outcomes[name as keyof typeof outcomes] ?? 0) /
      total(runs, ({ clientRequests }) => clientRequests),
  );
}

function attemptsPerArrival(pairs: readonly RunPair[]): Share[] {
  const hops = Object.entries(pairs[0]?.measured.tiers ?? {}).filter(([, { attempts }]) => attempts > 0);
  return shares(
    pairs,
    hops.map(([name]) => name),
    (runs, name) =>
      total(runs, ({ tiers }) => tiers[name]?.attempts ?? 0) / total(runs, ({ tiers }) => tiers[name]?.arrivals ?? 0),
  );
}

const differing = (all: readonly Share[], least: number): Share[] =>
  all.filter(({ measured, predicted }) => Math.abs(measured - predicted) >= least);

const inWords = (all: readonly Share[], text: (value: number) => string): string =>
  all.map(({ name, measured, predicted }) => `${name} ${text(measured)} (${text(predicted)})`).join(", ");

function seedBySeed(pairs: readonly RunPair[]): string {
  const parts = TWIN_MEASURES.map(({ label, of, differenceText }) => {
    const differences = pairs.map(({ measured, predicted }) => (of(measured) ?? 0) - (of(predicted) ?? 0));
    const [smallest, largest] = [Math.min(...differences), Math.max(...differences)];
    return `${label} ${differenceText(median(differences))} (${differenceText(smallest)} to ${differenceText(largest)})`;
  });
  return `seed by seed, median (range): ${parts.join(", ")}`;
}

/** @param pairs those that count, with valid runs; none where there is nothing to explain */
export function explain(pairs: readonly RunPair[]): string[] {
  if (pairs.length === 0) return [];
  const outcomes = differing(outcomeShares(pairs), LEAST.points);
  const attempts = differing(attemptsPerArrival(pairs), LEAST.attempts);
  return [
    seedBySeed(pairs),
    outcomes.length === 0
      ? "how requests ended: no kind of outcome differs by half a point"
      : `how requests ended, measured (predicted): ${inWords(outcomes, percent)}`,
    attempts.length === 0
      ? "attempts for each arrival: the same at every hop, to one in a hundred"
      : `attempts for each arrival, measured (predicted): ${inWords(attempts, times)}`,
  ];
}

/** A verdict and the lines that say where its differences come from. */
export interface ExplainedVerdict extends TwinVerdict {
  readonly explanation: readonly string[];
}

export const explained = (runs: JudgedRuns): ExplainedVerdict => ({
  ...judge(runs),
  explanation: explain(runs.pairs.filter(({ measured }) => measured.valid)),
});
