/** The experiments' commands: compare, assert, sweep and more. What each does is in the file of its name. */
import type { Verb } from "../runs/verb.ts";
import {
  contextOf,
  ending,
  listOf,
  repeatOf,
  repeatOption,
  typedNames,
  worldOf,
  worldOption,
  type Options,
} from "../runs/command-options.ts";
import { assertCommand, compareCommand } from "../experiments/compare/command.ts";
import { frontierCommand } from "../experiments/frontier/experiment.ts";
import { metastableCommand } from "../experiments/metastable/command.ts";
import { publishedCommand } from "../experiments/published/experiment.ts";
import { EXPERIMENT_WORLDS } from "../runs/runner.ts";
import { sweepCommand } from "../experiments/sweep/experiment.ts";

export const verbCompare: Verb = {
  name: "compare",
  summary:
    "naive, budgeted and owner side by side; with policies' names, medians and intervals over many seeds",
  group: "the story",
  page: "docs/compare-and-sweep.md",
  make: true,
  runsIn: "shell",
  add: (command, home) => {
    command
      .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
      .addOption(repeatOption("10"))
      .addOption(worldOption())
      .option("--json", "the comparison alone on stdout")
      .action((policies: string[], options: Options) => {
        const request = {
          policies,
          repeat: repeatOf(options),
          world: worldOf(options, home.environment),
          json: options.json === true,
        };
        return ending(compareCommand(contextOf(home), request));
      });
  },
};

export const verbAssert: Verb = {
  name: "assert",
  summary: "bounds that a policy must keep: exit 1 where one does not hold",
  group: "find out more",
  page: "docs/compare-and-sweep.md",
  make: false,
  runsIn: "node",
  add: (command, home) => {
    command
      .argument("<assertion...>", "such as 'budgeted.amplification < 1.6'")
      .option("--from <folder>", "a comparison that was made before; without it, one is made")
      .addOption(repeatOption("10"))
      .addOption(worldOption())
      .option("--json", "what was found, alone on stdout")
      .action((texts: string[], options: Options) => {
        const request = {
          texts,
          from: options.from,
          repeat: repeatOf(options),
          world: worldOf(options, home.environment),
          json: options.json === true,
        };
        return ending(assertCommand(contextOf(home), request));
      });
  },
};

export const verbSweep: Verb = {
  name: "sweep",
  summary: "every combination of what is varied, on all cores; goes on after a Ctrl-C",
  group: "find out more",
  page: "docs/compare-and-sweep.md",
  make: false,
  runsIn: "node",
  add: (command, home) => {
    command
      .option("--policy <names>", "policies, with commas between", "naive")
      .requiredOption("--vary <name=from..to:step...>", "what to vary; may be given several times")
      .addOption(repeatOption("1"))
      .addOption(worldOption())
      .option("--json", "the result alone on stdout")
      .action((options: Options) => {
        const request = {
          policies: listOf(options.policy ?? "naive"),
          vary: options.vary ?? [],
          repeat: repeatOf(options),
          world: worldOf(options, home.environment),
          json: options.json === true,
        };
        return ending(sweepCommand(contextOf(home), request));
      });
  },
};

export const verbMetastable: Verb = {
  name: "metastable",
  summary: "a trigger comes and goes under unchanged load: who recovers, who never does",
  group: "find out more",
  page: "docs/metastable.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
      .option("--trigger <names>", "with commas between; all of them where nothing is said")
      .addOption(worldOption())
      .option("--json", "the results alone on stdout")
      .action((policies: string[], options: Options) => {
        const both = options.world === undefined && !typedNames(home.environment).includes("WORLD");
        const request = {
          policies,
          triggers: options.trigger === undefined ? [] : listOf(options.trigger),
          worlds: both ? [...EXPERIMENT_WORLDS] : [worldOf(options, home.environment)],
          json: options.json === true,
        };
        return ending(metastableCommand(contextOf(home), request));
      });
  },
};

export const verbPublished: Verb = {
  name: "published",
  summary: "the published lab's figures on its own model, and what each fault of its wiring cost",
  group: "find out more",
  page: "docs/published.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .addOption(repeatOption("20"))
      .addOption(worldOption())
      .option("--json", "the results alone on stdout")
      .action((options: Options) => {
        const world = worldOf(options, home.environment);
        const request = { repeat: repeatOf(options), world, json: options.json === true };
        return ending(publishedCommand(contextOf(home), request));
      });
  },
};

export const verbFrontier: Verb = {
  name: "frontier",
  summary: "over load and errors: the best possible, and which policy comes nearest",
  group: "find out more",
  page: "docs/frontier-and-maps.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
      .addOption(repeatOption("1"))
      .option("--json", "the results alone on stdout")
      .action((policies: string[], options: Options) => {
        const request = { policies, repeat: repeatOf(options), json: options.json === true };
        return ending(frontierCommand(contextOf(home), request));
      });
  },
};
