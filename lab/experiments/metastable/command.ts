/** `lab metastable`: runs, prints and saves. */
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { metastable, rateOf, triggersNamed } from "./experiment.ts";
import { metastableText } from "./text.ts";
import type { ExperimentWorld } from "../../runs/runner.ts";
import { TRIGGERS } from "../../runs/triggers.ts";

export interface MetastableCommand {
  readonly policies: readonly string[];
  /** Empty: all in virtual time, and the first of them over HTTP, where each takes a minute. */
  readonly triggers: readonly string[];
  readonly worlds: readonly ExperimentWorld[];
  readonly json: boolean;
}

const BEGINS_S = 10;

function triggersFor(world: ExperimentWorld, named: readonly string[]): readonly string[] {
  if (named.length > 0) return named;
  const all = TRIGGERS.map(({ name }) => name);
  return world === "virtual" ? all : all.slice(0, 1);
}

/** The exit code: 1 where a run was not valid, so that its verdict is none. */
export async function metastableCommand(
  context: ExperimentContext,
  command: MetastableCommand,
): Promise<number> {
  triggersNamed(command.triggers);
  const folder = experimentFolder(context, `metastable-${context.stamp}`);
  const rate = rateOf(context);
  const all = [];
  for (const world of command.worlds) {
    const triggers = triggersFor(world, command.triggers);
    const results = await metastable(context, { ...command, triggers, world, beginsS: BEGINS_S }, folder);
    if (!command.json) context.print(metastableText(results, rate));
    all.push(...results);
  }
  const file = saveJson(folder, "metastable.json", { schema: 1, rate, results: all });
  context.print(command.json ? JSON.stringify(all, null, 2) : `Saved: ${file}`);
  return all.every(({ valid }) => valid) ? 0 : 1;
}
