/**
 * `lab frontier`: for each load and error rate the best that any policy could reach, which policy comes nearest to it,
 * and a map of each policy with its computed edges, in the form that the report draws.
 */
import Table from "cli-table3";
import type { PointResult } from "../../runs/cells.ts";
import { saveJson, type ExperimentContext } from "../../runs/context.ts";
import { savePage } from "../../runs/experiment-page.ts";
import { phaseMaps } from "../../runs/phase-maps.ts";
import { sweep } from "../sweep/experiment.ts";
import { wholePercent } from "../../../loadgen/core/format.ts";

export interface FrontierRequest {
  readonly policies: readonly string[];
  readonly repeat: number;
  readonly json: boolean;
}

/** The axes where the user names none. */
const VARY = ["RATE=20..120:20", "ERROR_RATE=0..0.8:0.2"];

export interface FrontierCell {
  readonly rate: number;
  readonly errorRate: number;
  /** The best that any policy could reach, 0 to 1. */
  readonly limit: number;
  /** The policy that comes nearest, and its share of the limit. */
  readonly nearest: string;
  readonly ofLimit: number;
}

const placeOf = ({ at }: PointResult) => ({ rate: Number(at["RATE"]), errorRate: Number(at["ERROR_RATE"]) });

/** Closer than this to each other, two policies are equally near the limit, and the cheaper one is better. */
const TIE = 0.005;

function isBetter({ metrics: a }: PointResult, { metrics: b }: PointResult): boolean {
  const ahead = a.goodput.median - b.goodput.median;
  return Math.abs(ahead) > TIE ? ahead > 0 : a.amplification.median < b.amplification.median - TIE;
}

/** @param points all policies' points over RATE and ERROR_RATE */
export function frontierOf(points: readonly PointResult[]): FrontierCell[] {
  const best = new Map<string, PointResult>();
  for (const point of points) {
    const key = JSON.stringify(point.at);
    const before = best.get(key);
    if (before === undefined || isBetter(point, before)) best.set(key, point);
  }
  return [...best.values()].map((point) => ({
    ...placeOf(point),
    limit: point.limit,
    nearest: point.policy,
    ofLimit: point.metrics.goodput.median,
  }));
}

/** The text, without a line end. */
export function frontierText(cells: readonly FrontierCell[]): string {
  const rates = [...new Set(cells.map(({ rate }) => rate))];
  const errors = [...new Set(cells.map(({ errorRate }) => errorRate))];
  const table = new Table({
    head: ["RATE \\ ERROR_RATE", ...errors.map(String)],
    style: { head: [], border: [], compact: true },
  });
  for (const rate of rates) {
    const row = errors.map((errorRate) => {
      const cell = cells.find((one) => one.rate === rate && one.errorRate === errorRate);
      return cell === undefined
        ? ""
        : `${wholePercent(cell.limit)}: ${cell.nearest} ${wholePercent(cell.ofLimit)}`;
    });
    table.push([String(rate), ...row]);
  }
  return `${table.toString()}\nthe best possible success, %: the policy that comes nearest, and its share of that, %`;
}

/** Sweeps, prints and saves frontier.json, maps.json and the page. The exit code. */
export async function frontierCommand(context: ExperimentContext, request: FrontierRequest): Promise<number> {
  const { policies, repeat, json } = request;
  const swept = await sweep(context, { policies, repeat, vary: VARY, world: "virtual" });
  const { axes, points, folder } = swept;
  const cells = frontierOf(points);
  const maps = phaseMaps(context, axes, points);
  saveJson(folder, "frontier.json", { schema: 1, cells });
  saveJson(folder, "maps.json", maps);
  const page = await savePage(context, folder, {
    title: "The frontier",
    lead: `${policies.join(", ")} over load and errors in virtual time: the share of the requests that succeeded, and how far each policy could come.`,
    words: ["frontier", ...policies, "--repeat", String(repeat)],
    maps,
  });
  context.print(
    json
      ? JSON.stringify({ cells, maps }, null, 2)
      : `${frontierText(cells)}\nSaved: ${folder}/frontier.json and maps.json\nThe page: ${page}`,
  );
  return 0;
}
