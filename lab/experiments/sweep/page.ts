/** A sweep over two settings as maps that the report draws: one for each policy, with its computed edges over the cells. */
import { knobNamed } from "../../../services/settings/knobs/knobs.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { readValues, tiersOf } from "../../../services/settings/values.ts";
import type { PhaseMap } from "../../report/data/model.ts";
import { exactPercent, list, value } from "../../../loadgen/core/format.ts";
import type { Axis } from "./axes.ts";
import type { PointResult } from "./experiment.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { edgesOf, type Edges } from "../../runs/equilibrium.ts";
import type { RunEnv } from "../../runs/pool.ts";

/** Ends of the colour steps for a share that succeeded. */
export const SHARE_THRESHOLDS = [0.05, 0.35, 0.75, 0.95] as const;

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

/** Which axis lies across and which goes up: the load, where it is varied. undefined unless there are two of numbers. */
export function mapAxes(axes: readonly Axis[]): { readonly x: Axis; readonly y: Axis } | undefined {
  const [first, second] = axes;
  if (first === undefined || second === undefined || axes.length !== 2) return undefined;
  if (![...first.values, ...second.values].every(isNumber)) return undefined;
  return second.name === "RATE" ? { x: first, y: second } : { x: second, y: first };
}

/**
 * The computed edges of a chain with all its settings. Where the queue is so short that no call in it can time out, the
 * chain has no broken state that holds itself up. undefined where the model does not apply.
 */
export function edgesWith(env: RunEnv): Edges | undefined {
  const values = readValues(env);
  if (values.text("THROTTLE") !== "queue") return undefined;
  const hops = tiersOf(env).map((hop) => retryPolicyOf(values, hop));
  const capacity = values.number("CAPACITY");
  const edges = edgesOf(hops, capacity, values.number("ERROR_RATE"));
  const longestMs = (values.number("QUEUE_LIMIT") / capacity) * 1000 + values.number("LATENCY_MS");
  return longestMs < (hops.at(-1)?.attemptTimeoutMs ?? 0) ? { ...edges, recoversBelow: Infinity } : edges;
}

export type MapEdge = NonNullable<PhaseMap["edges"]>[number];

/** Edges in requests per second, over `xs`; what is Infinity is not drawn. */
export function drawnEdges(xs: readonly number[], edges: readonly Edges[]): MapEdge[] {
  const line = (name: string, of: (edge: Edges) => number): MapEdge => ({
    name,
    points: xs.map((x, i) => ({ x, y: of(edges[i] as Edges) })).filter(({ y }) => Number.isFinite(y)),
  });
  return [
    line("can be healthy below", ({ healthyUpTo }) => healthyUpTo),
    line("recovers by itself below", ({ recoversBelow }) => recoversBelow),
  ].filter(({ points }) => points.length > 0);
}

const SUBJECTS: Readonly<Record<string, string>> = { RATE: "load", ERROR_RATE: "errors" };

const LABELS: Readonly<Record<string, string>> = {
  RATE: "requests per second",
  ERROR_RATE: "share of calls that fail",
};

const labelOf = (name: string): string => {
  const knob = knobNamed(name);
  const unit = knob?.kind === "number" ? `, ${knob.range.unit}` : "";
  return LABELS[name] ?? `${name}${unit}`;
};

/** "can be healthy below 90 at 0 and below 21 at 0.8" */
function edgeText({ name, points }: MapEdge): string {
  const [from, to] = [points[0], points.at(-1)];
  if (from === undefined || to === undefined) return name;
  const [low, high] = [from, to].map(({ y }) => value(y));
  return low === high ? `${name} ${low}` : `${name} ${low} at ${value(from.x)} and ${high} at ${value(to.x)}`;
}

function findingOf(points: readonly PointResult[], edges: readonly MapEdge[]): string {
  const shares = points.map(({ metrics }) => metrics.success?.median ?? null);
  const well = shares.filter((share) => share !== null && share >= 0.95).length;
  const badly = shares.filter((share) => share !== null && share < 0.05).length;
  const cells = `${well} of ${shares.length} cells succeed with ${exactPercent(0.95)} or more, ${badly} with less than ${exactPercent(0.05)}.`;
  return edges.length === 0 ? cells : `${cells} Computed: ${list(edges.map(edgeText))}.`;
}

/** @param points of this policy alone */
function mapOf(
  context: ExperimentContext,
  policy: string,
  points: readonly PointResult[],
  { x, y }: { readonly x: Axis; readonly y: Axis },
): PhaseMap {
  const xs = x.values.map(Number);
  const computed =
    y.name === "RATE"
      ? x.values.map((value) => edgesWith(context.settingsFor({ POLICY: policy, [x.name]: value })))
      : [];
  const known = computed.filter((edge) => edge !== undefined);
  const edges = known.length === xs.length ? drawnEdges(xs, known) : [];
  return {
    title: `${policy}: ${list([y, x].map(({ name }) => SUBJECTS[name] ?? name))}`,
    finding: findingOf(points, edges),
    xLabel: labelOf(x.name),
    yLabel: labelOf(y.name),
    valueLabel: "share that succeeded",
    thresholds: SHARE_THRESHOLDS,
    crossedMeans: "a run was not valid",
    cells: points.map(({ at, metrics, runs, validRuns }) => {
      const cell = { x: Number(at[x.name]), y: Number(at[y.name]), value: metrics.success?.median ?? null };
      return validRuns < runs ? { ...cell, crossed: true } : cell;
    }),
    edges,
  };
}

/** One map for each policy; none where the axes make no map. */
export function sweepMaps(
  context: ExperimentContext,
  axes: readonly Axis[],
  points: readonly PointResult[],
): PhaseMap[] {
  const chosen = mapAxes(axes);
  if (chosen === undefined) return [];
  const policies = [...new Set(points.map(({ policy }) => policy))];
  return policies.map((policy) =>
    mapOf(
      context,
      policy,
      points.filter((point) => point.policy === policy),
      chosen,
    ),
  );
}
