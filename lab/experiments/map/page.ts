/** The cells of `bin/lab map` as maps that the report draws, with the three computed edges over them. */
import type { PhaseMap } from "../../report/data/model.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { drawnEdges, edgesWith, SHARE_THRESHOLDS, type MapEdge } from "../sweep/page.ts";
import type { RunEnv } from "../../runs/pool.ts";
import { shortestFatalDip } from "./edge.ts";
import { DIP_TO, isDown, PATIENCE_S, type DipCell } from "./experiment.ts";
import { dipOf, distinct, eachPolicy, shortestDips } from "./shortest.ts";

/** More points than cells: the edge is a curve, and cells are few. */
const POINTS = 40;

/** Where a dip is just long enough to keep the chain down. */
function fatalEdge(env: RunEnv, loads: readonly number[], lengths: readonly number[]): MapEdge[] {
  const [from = 0, to = 0, mostS = 0] = [loads[0], loads.at(-1), lengths.at(-1)];
  const points = Array.from({ length: POINTS }, (_, i) => {
    const y = from + ((to - from) * i) / (POINTS - 1);
    return { x: shortestFatalDip(dipOf(env, y), mostS * 1.5), y };
  });
  const drawn = points.flatMap(({ x, y }) => (x === undefined ? [] : [{ x, y }]));
  return drawn.length < 2 ? [] : [{ name: "a longer dip keeps it down", points: drawn }];
}

/** How many cells lie on the side of the computed edge on which they were found, of those that have a verdict. */
export function agreement(
  cells: readonly DipCell[],
  predicted: (load: number, lengthS: number) => boolean,
): { readonly agreeing: number; readonly judged: number } {
  const judged = cells.filter(
    ({ verdicts, runs }) => (verdicts["never-healthy"] ?? 0) + (verdicts.unmeasured ?? 0) < runs,
  );
  const agreeing = judged.filter((cell) => predicted(cell.load, cell.lengthS) === isDown(cell));
  return { agreeing: agreeing.length, judged: judged.length };
}

/** @param cells of one policy alone @param env its settings at any load */
export function dipMap(policy: string, env: RunEnv, cells: readonly DipCell[]): PhaseMap {
  const loads = distinct(cells.map(({ load }) => load));
  const lengths = distinct(cells.map(({ lengthS }) => lengthS));
  const steady = edgesWith(env);
  const level =
    steady === undefined
      ? []
      : drawnEdges(
          lengths,
          lengths.map(() => steady),
        );
  // An edge above the highest load would be a line in the legend alone.
  const within = level.filter(({ points }) => points.some(({ y }) => y <= (loads.at(-1) ?? 0)));
  const edges = steady === undefined ? [] : [...within, ...fatalEdge(env, loads, lengths)];
  const fatal = new Map(shortestDips(env, cells).map(({ load, computedS }) => [load, computedS ?? Infinity]));
  const { agreeing, judged } = agreement(cells, (load, lengthS) => lengthS >= (fatal.get(load) ?? Infinity));
  const down = cells.filter(isDown).length;
  return {
    title: `${policy}: load and length of the dip`,
    finding: `Still down ${PATIENCE_S} s after the dip in ${down} of ${cells.length} cells; the computed edge says the same of ${agreeing} of ${judged}.`,
    xLabel: `seconds with ${DIP_TO} calls per second`,
    yLabel: "requests per second",
    valueLabel: `share that succeeded ${PATIENCE_S} s later`,
    thresholds: SHARE_THRESHOLDS,
    crossedMeans: "still down",
    cells: cells.map((cell) => {
      const one = { x: cell.lengthS, y: cell.load, value: cell.late?.median ?? null };
      return isDown(cell) ? { ...one, crossed: true } : one;
    }),
    edges,
  };
}

/** One map for each policy of the cells. */
export const dipMaps = (context: ExperimentContext, cells: readonly DipCell[]): PhaseMap[] =>
  eachPolicy(context, cells, dipMap);
