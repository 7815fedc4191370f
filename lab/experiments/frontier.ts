/**
 * `lab frontier`: for each load and error rate the best that any policy could reach, which policy comes nearest to it,
 * and a map of each policy with its computed edges, in the form that the report draws.
 */
import Table from "cli-table3";
import { readValues, tiersOf } from "../../services/platform/values.ts";
import { retryPolicyOf } from "../../services/platform/retry-config.ts";
import type { PhaseMap } from "../report/model.ts";
import type { PointResult } from "./cells.ts";
import { saveJson, type ExperimentContext } from "./context.ts";
import { edgesOf } from "./equilibrium.ts";
import { sweep } from "./sweep.ts";

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

const percent = (share: number): string => `${Math.round(100 * share)} %`;

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
      return cell === undefined ? "" : `${percent(cell.limit)}: ${cell.nearest} ${percent(cell.ofLimit)}`;
    });
    table.push([String(rate), ...row]);
  }
  return `${table.toString()}\nthe best possible success: the policy that comes nearest, and its share of that`;
}

/** A policy's cells, with its edges over them. */
function mapOf(context: ExperimentContext, policy: string, points: readonly PointResult[]): PhaseMap {
  const env = context.settingsFor({ POLICY: policy });
  const values = readValues(env);
  const hops = tiersOf(env).map((hop) => retryPolicyOf(values, hop));
  const errors = [...new Set(points.map((point) => placeOf(point).errorRate))];
  const edge = (name: string, of: (errorRate: number) => number) => ({
    name,
    points: errors.map((errorRate) => ({ x: errorRate, y: of(errorRate) })),
  });
  const at = (errorRate: number) => edgesOf(hops, values.number("CAPACITY"), errorRate);
  return {
    title: `${policy}: load and errors`,
    finding: `Largest load that ${policy} can hold in health: ${at(errors[0] ?? 0).healthyUpTo.toFixed(0)} requests/s at ${percent(errors[0] ?? 0)} errors, ${at(errors.at(-1) ?? 0).healthyUpTo.toFixed(0)} at ${percent(errors.at(-1) ?? 0)}.`,
    xLabel: "share of calls that fail",
    yLabel: "requests per second",
    valueLabel: "share that succeeded",
    thresholds: [0.05, 0.35, 0.75, 0.95],
    cells: points.map((point) => {
      const { rate, errorRate } = placeOf(point);
      return { x: errorRate, y: rate, value: point.metrics.success.median };
    }),
    edges: [
      edge("can be healthy below", (errorRate) => at(errorRate).healthyUpTo),
      edge("recovers by itself below", (errorRate) => at(errorRate).recoversBelow),
    ],
  };
}

/** Sweeps, prints and saves frontier.json and maps.json. The exit code. */
export async function frontierCommand(context: ExperimentContext, request: FrontierRequest): Promise<number> {
  const { policies, repeat, json } = request;
  const { points, folder } = await sweep(context, { policies, repeat, vary: VARY, world: "virtual" });
  const cells = frontierOf(points);
  const maps = policies.map((policy) =>
    mapOf(
      context,
      policy,
      points.filter((point) => point.policy === policy),
    ),
  );
  saveJson(folder, "frontier.json", { schema: 1, cells });
  saveJson(folder, "maps.json", maps);
  context.print(
    json
      ? JSON.stringify({ cells, maps }, null, 2)
      : `${frontierText(cells)}\nSaved: ${folder}/frontier.json and maps.json`,
  );
  return 0;
}
