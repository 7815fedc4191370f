/** The shortest dip that is fatal at each load: of those that were tried, and as it is computed. */
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { readValues, tiersOf } from "../../../services/settings/values.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { callsPerRequest } from "../../runs/equilibrium.ts";
import { inScene } from "../../runs/planned.ts";
import type { RunEnv } from "../../runs/pool.ts";
import { ascending } from "../../runs/statistics.ts";
import { HEALTHY } from "../../runs/triggers.ts";
import { shortestFatalDip, type Dip } from "./edge.ts";
import { DIP_TO, isDown, PATIENCE_S, type DipCell } from "./experiment.ts";

export interface ShortestDip {
  readonly load: number;
  /** The shortest of those that were tried after which it was still down; null where it was after none. */
  readonly triedS: number | null;
  /** null where none up to the longest that was tried is fatal. */
  readonly computedS: number | null;
}

export const distinct = (numbers: readonly number[]): number[] => ascending([...new Set(numbers)]);

/** The dip as the last hop meets it: it alone waits for the backend. */
export function dipOf(env: RunEnv, load: number): Dip {
  const values = readValues(env);
  const hops = tiersOf(env).map((hop) => retryPolicyOf(values, hop));
  const last = hops.at(-1);
  return {
    load,
    capacity: values.number("CAPACITY"),
    dipTo: DIP_TO,
    waitMs: (last?.attemptTimeoutMs ?? 0) - values.number("LATENCY_MS"),
    againMs: values.number("LATENCY_MS") + (last?.backoff.baseMs ?? 0),
    calls: callsPerRequest(hops, 1),
    queueLimit: values.number("QUEUE_LIMIT"),
    patienceS: PATIENCE_S,
  };
}

/** One for each load, the lowest first. @param env the settings at any load @param cells of one policy alone */
export function shortestDips(env: RunEnv, cells: readonly DipCell[]): ShortestDip[] {
  const longestS = distinct(cells.map(({ lengthS }) => lengthS)).at(-1) ?? 0;
  return distinct(cells.map(({ load }) => load)).map((load) => {
    const down = cells.filter((cell) => cell.load === load && isDown(cell));
    return {
      load,
      triedS: distinct(down.map(({ lengthS }) => lengthS))[0] ?? null,
      computedS: shortestFatalDip(dipOf(env, load), longestS) ?? null,
    };
  });
}

/** What `of` makes of each policy's settings and of its own cells. */
export const eachPolicy = <T>(
  context: ExperimentContext,
  cells: readonly DipCell[],
  of: (policy: string, env: RunEnv, own: readonly DipCell[]) => T,
): T[] =>
  [...new Set(cells.map(({ policy }) => policy))].map((policy) =>
    of(
      policy,
      context.settingsFor({ ...inScene(context, HEALTHY), POLICY: policy }),
      cells.filter((cell) => cell.policy === policy),
    ),
  );
