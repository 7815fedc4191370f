/** The verb `metastable`. */
import { Option } from "commander";
import { conclude, shown } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import {
  chosenWorld,
  experimentVerb,
  listOf,
  policiesArgument,
  worldOption,
  type ExperimentOptions,
} from "../../runs/experiment-verb.ts";
import { EXPERIMENT_WORLDS, type ExperimentWorld } from "../../runs/runner.ts";
import { TRIGGERS, triggersNamed, usualOf, type Trigger } from "../../runs/triggers.ts";
import { metastable, type MetastableResult } from "./experiment.ts";
import { metastableText } from "./text.ts";

interface Options extends ExperimentOptions {
  readonly trigger?: string;
}

/** Where none is named: all in virtual time, and the first of them over HTTP, where each takes a minute. */
const triggersFor = (world: ExperimentWorld, named: readonly Trigger[]): readonly Trigger[] =>
  named.length > 0 ? named : TRIGGERS.slice(0, world === "virtual" ? TRIGGERS.length : 1);

export const verbMetastable = experimentVerb<Options>({
  name: "metastable",
  summary: "a trigger comes and goes under unchanged load: who recovers, who never does",
  page: "docs/metastable.md",
  argument: policiesArgument("naive", "budgeted", "owner"),
  options: [
    new Option("--trigger <names>", "with commas between; all of them where nothing is said"),
    worldOption("both, virtual first,"),
  ],
  run: async (context, options, policies) => {
    const chosen = chosenWorld(options, context);
    const named = options.trigger === undefined ? [] : triggersNamed(listOf(options.trigger));
    const folder = experimentFolder(context, `metastable-${context.stamp}`);
    const { rate } = usualOf(context);
    const all: MetastableResult[] = [];
    for (const world of chosen === undefined ? EXPERIMENT_WORLDS : [chosen]) {
      const request = { policies, triggers: triggersFor(world, named), world };
      const results = await metastable(context, request, folder);
      if (!context.json) context.print(shown(context, () => metastableText(results, rate)));
      all.push(...results);
    }
    return conclude(context, {
      folder,
      files: { "metastable.json": { schema: 1, rate, results: all } },
      result: all,
      isSound: all.every(({ valid }) => valid),
    });
  },
});
