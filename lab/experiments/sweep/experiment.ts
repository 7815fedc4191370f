/** `lab sweep`: every combination of what is varied, on all cores; what is finished is never computed again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Axis } from "../../runs/axes.ts";
import { axesOf, pointResult, pointsOf, type Point, type PointResult } from "../../runs/cells.ts";
import {
  experimentFolder,
  runnerParts,
  saveJson,
  settingsForEach,
  type ExperimentContext,
} from "../../runs/context.ts";
import {
  cellKey,
  finishedCell,
  keepFinished,
  readFinished,
  sweepName,
  type FinishedCell,
} from "../../runs/finished-cells.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { savePage } from "../../runs/experiment-page.ts";
import { phaseMaps } from "../../runs/phase-maps.ts";
import { runEach, type ExperimentWorld, type NamedEnv } from "../../runs/runner.ts";
import { Stopped } from "../../runs/stopped.ts";
import { sweepCsv, sweepText } from "./text.ts";

export interface SweepRequest {
  readonly policies: readonly string[];
  /** As they were typed: RATE=20..120:5 */
  readonly vary: readonly string[];
  /** Seeds for each point, 1 or more. */
  readonly repeat: number;
  readonly world: ExperimentWorld;
}

export interface Sweep {
  readonly axes: readonly Axis[];
  readonly points: readonly PointResult[];
  readonly folder: string;
  /** Cells that were there from an earlier start. */
  readonly kept: number;
}

interface Cell extends NamedEnv {
  readonly point: Point;
}

/** All cells, seeds changing fastest. @throws ConfigError with the faults of all */
function cellsOf(
  context: ExperimentContext,
  { policies, repeat, world }: SweepRequest,
  axes: readonly Axis[],
): Cell[] {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const wanted = pointsOf(policies, axes).flatMap((point) =>
    Array.from({ length: repeat }, (_, i) => ({
      point,
      settings: { ...point.at, POLICY: point.policy, SEED: String(first + i), WORLD: world },
    })),
  );
  const envs = settingsForEach(
    context,
    wanted.map(({ settings }) => settings),
  );
  return wanted.flatMap(({ point }, i) => {
    const env = envs[i];
    return env === undefined ? [] : [{ point, env, name: cellKey(env) }];
  });
}

async function computeMissing(
  context: ExperimentContext,
  cells: readonly Cell[],
  folder: string,
  world: ExperimentWorld,
): Promise<Map<string, FinishedCell>> {
  const finished = readFinished(folder);
  const missing = cells.filter(({ name }) => !finished.has(name));
  const bar = progressBar("cells", cells.length, cells.length - missing.length);
  try {
    await runEach(missing, runnerParts(context, world, folder), ({ env }, { summary }) => {
      const cell = finishedCell(env, summary);
      keepFinished(folder, cell);
      finished.set(cell.key, cell);
      bar.step();
    });
  } catch (error) {
    if (error instanceof Stopped) {
      context.say(
        `${finished.size} of ${cells.length} cells are done and kept in ${folder}; the same command goes on from there.`,
      );
    }
    throw error;
  } finally {
    bar.end();
  }
  return finished;
}

/** Rejects with `Stopped` when the user stopped it: what was finished is kept. */
export async function sweep(context: ExperimentContext, request: SweepRequest): Promise<Sweep> {
  const axes = axesOf(request.vary);
  const cells = cellsOf(context, request, axes);
  const folder = experimentFolder(context, sweepName(cells.map(({ name }) => name)));
  const kept = readFinished(folder).size;
  const finished = await computeMissing(context, cells, folder, request.world);
  const { repeat } = request;
  const points = pointsOf(request.policies, axes).map((point, i) => {
    const own = cells.slice(i * repeat, (i + 1) * repeat);
    return pointResult(
      point,
      own.flatMap(({ name }) => finished.get(name) ?? []),
    );
  });
  return { axes, points, folder, kept };
}

/** The page with a map for each policy, where two settings of numbers are varied. */
async function sweepPage(
  context: ExperimentContext,
  { policies, vary, repeat, world }: SweepRequest,
  { axes, points, folder }: Pick<Sweep, "axes" | "points" | "folder">,
): Promise<string | undefined> {
  const maps = phaseMaps(context, axes, points);
  if (maps.length === 0) return undefined;
  const varied = vary.flatMap((text) => ["--vary", text]);
  return savePage(context, folder, {
    title: `${policies.join(", ")} over ${axes.map(({ name }) => name).join(" and ")}`,
    lead: `${points.length} cells, ${repeat === 1 ? "one run" : `medians of ${repeat} runs`} each (${world}): the share of the requests that succeeded.`,
    words: ["sweep", "--policy", policies.join(","), ...varied, "--repeat", String(repeat), "--world", world],
    maps,
  });
}

/** Sweeps, prints and saves. The exit code. */
export async function sweepCommand(
  context: ExperimentContext,
  request: SweepRequest & { readonly json: boolean },
): Promise<number> {
  const { axes, points, folder, kept } = await sweep(context, request);
  const result = { schema: 1, world: request.world, axes, points };
  const file = saveJson(folder, "sweep.json", result);
  writeFileSync(join(folder, "sweep.csv"), sweepCsv(points, axes));
  const page = await sweepPage(context, request, { axes, points, folder });
  if (request.json) context.print(JSON.stringify(result, null, 2));
  else {
    context.print(sweepText(points, axes));
    const before = kept > 0 ? ` (${kept} cells were there from before)` : "";
    context.print(`Saved: ${file}, and sweep.csv beside it${before}.`);
    if (page !== undefined) context.print(`The page: ${page}`);
  }
  return 0;
}
