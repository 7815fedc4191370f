/** `lab herd`: each backoff with the same seeds, as a table. */
import Table from "cli-table3";
import { experimentFolder, saveJson, type ExperimentContext } from "./context.ts";
import { HERD, HERD_KINDS, runHerd, shapeOf, type HerdShape } from "./herd.ts";
import { estimate, type Estimate } from "./statistics.ts";

export interface HerdCommand {
  /** Seeds for each backoff, 1 or more. */
  readonly repeat: number;
  readonly json: boolean;
}

export type HerdResult = { readonly backoff: string } & Readonly<Record<keyof HerdShape, Estimate>>;

/** @param seeds one or more @param clients 1 or more */
export function herdResults(seeds: readonly number[], clients: number = HERD.clients): HerdResult[] {
  return HERD_KINDS.map((backoff) => {
    const shapes = seeds.map((seed) => shapeOf(runHerd(backoff, seed, clients)));
    const of = (name: keyof HerdShape): Estimate =>
      estimate(
        shapes.map((shape) => shape[name]),
        `${backoff}/${name}`,
      );
    return {
      backoff,
      peak: of("peak"),
      peakOverMean: of("peakOverMean"),
      peakAfter: of("peakAfter"),
      retries: of("retries"),
      lastServedMs: of("lastServedMs"),
    };
  });
}

const ranged = ({ median, low, high }: Estimate, digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

/** The text, without a line end. */
export function herdText(results: readonly HerdResult[]): string {
  const { clients, outageMs, windowMs } = HERD;
  const table = new Table({
    head: [
      "backoff",
      `most calls in ${windowMs} ms`,
      "over the mean",
      "most at the return",
      "retries",
      "last one served, ms",
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const { backoff, peakOverMean, ...counts } of results) {
    const [peak, after, retries, last] = [
      counts.peak,
      counts.peakAfter,
      counts.retries,
      counts.lastServedMs,
    ].map((one) => ranged(one, 0));
    table.push([backoff, peak, ranged(peakOverMean, 2), after, retries, last]);
  }
  return `${table.toString()}\n${clients} clients cut off at one moment, the backend down for ${outageMs} ms; medians (95 % intervals).`;
}

/** Always 0: there is nothing about it that could fail. */
export async function herdCommand(
  context: ExperimentContext,
  { repeat, json }: HerdCommand,
): Promise<number> {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const results = herdResults(Array.from({ length: repeat }, (_, i) => first + i));
  const folder = experimentFolder(context, `herd-${context.stamp}`);
  const file = saveJson(folder, "herd.json", { schema: 1, scenario: HERD, results });
  context.print(json ? JSON.stringify(results, null, 2) : `${herdText(results)}\nSaved: ${file}`);
  return 0;
}
