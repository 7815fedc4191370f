/** `lab herd`: each backoff with the same seeds, as a table. */
import Table from "cli-table3";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { HERD, HERD_KINDS, runHerd, shapeOf, type HerdShape } from "./experiment.ts";
import { estimate, type Estimate } from "../../runs/statistics.ts";
import { count, duration, fixed } from "../../../loadgen/core/format.ts";

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

/** The median, and its interval where that says anything. */
function ranged({ median, low, high }: Estimate, digits = 0, unit = ""): string {
  const [middle, from, to] = [median, low, high].map((value) => fixed(value, digits));
  return from === to ? `${middle}${unit}` : `${middle}${unit} (${from}–${to})`;
}

/** A wall or a ramp, in one sentence. */
function findingOf(results: readonly HerdResult[], clients: number): string {
  const JITTERED = new Set(["full", "equal", "decorrelated"]);
  const most = (jittered: boolean): string =>
    count(
      Math.max(
        ...results
          .filter(({ backoff }) => JITTERED.has(backoff) === jittered)
          .map(({ peakAfter }) => peakAfter.median),
      ),
    );
  return `In the steepest ${HERD.windowMs} ms of the return the backend meets ${most(false)} of ${clients} clients without jitter, and at most ${most(true)} with it.`;
}

/** The text, without a line end. @param clients as the results were made with */
export function herdText(results: readonly HerdResult[], clients: number = HERD.clients): string {
  const { outageMs, windowMs } = HERD;
  const table = new Table({
    head: [
      "backoff",
      "peak in the outage",
      "over its mean",
      "peak at the return",
      "retries",
      "last one served",
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const { backoff, peak, peakOverMean, peakAfter, retries, lastServedMs } of results) {
    const cells = [ranged(peak), ranged(peakOverMean, 1, "x"), ranged(peakAfter), ranged(retries)];
    table.push([backoff, ...cells, `after ${duration(lastServedMs.median)}`]);
  }
  return [
    `${clients} clients are cut off at one moment and ask again; the backend is down for ${outageMs} ms. How do they come?`,
    table.toString(),
    findingOf(results, clients),
    `Peak: the most calls in any ${windowMs} ms. Medians (95 % intervals), virtual. What it says: docs/herd.md`,
  ].join("\n");
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
