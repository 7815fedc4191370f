/** The experiments' commands: compare, assert, sweep and more. What each does is in the file of its name. */
import type { Command } from "commander";
import {
  contextOf,
  ending,
  listOf,
  repeatOf,
  repeatOption,
  typedNames,
  worldOf,
  worldOption,
  type ExperimentHome,
  type Options,
} from "../runs/command-options.ts";
import { assertCommand, compareCommand } from "../experiments/compare/command.ts";
import { frontierCommand } from "../experiments/frontier/experiment.ts";
import { metastableCommand } from "../experiments/metastable/command.ts";
import { publishedCommand } from "../experiments/published/experiment.ts";
import { EXPERIMENT_WORLDS } from "../runs/runner.ts";
import { sweepCommand } from "../experiments/sweep/experiment.ts";

function addCompare(lab: Command, home: ExperimentHome): void {
  lab
    .command("compare")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("policies over the same seeds: medians, 95 % intervals, paired differences")
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
}

function addAssert(lab: Command, home: ExperimentHome): void {
  lab
    .command("assert")
    .argument("<assertion...>", "such as 'budgeted.amplification < 1.6'")
    .description("exit 0 where all assertions hold, 1 where one does not")
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
}

function addSweep(lab: Command, home: ExperimentHome): void {
  lab
    .command("sweep")
    .description("every combination of what is varied, on all cores; the same command goes on after a Ctrl-C")
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
}

function addMetastable(lab: Command, home: ExperimentHome): void {
  lab
    .command("metastable")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("a trigger comes and goes under unchanged load: who recovers, and what helps who does not")
    .option("--trigger <names>", "with commas between; all of them where nothing is said")
    .addOption(worldOption())
    .option("--json", "the results alone on stdout")
    .action((policies: string[], options: Options) => {
      const both = options.world === undefined && !typedNames(home.environment).includes("WORLD");
      const command = {
        policies,
        triggers: options.trigger === undefined ? [] : listOf(options.trigger),
        worlds: both ? [...EXPERIMENT_WORLDS] : [worldOf(options, home.environment)],
        json: options.json === true,
      };
      return ending(metastableCommand(contextOf(home), command));
    });
}

function addPublished(lab: Command, home: ExperimentHome): void {
  lab
    .command("published")
    .description("the published lab's runs on its own model, and what each fault of its wiring cost")
    .addOption(repeatOption("20"))
    .addOption(worldOption())
    .option("--json", "the results alone on stdout")
    .action((options: Options) => {
      const world = worldOf(options, home.environment);
      const request = { repeat: repeatOf(options), world, json: options.json === true };
      return ending(publishedCommand(contextOf(home), request));
    });
}

function addFrontier(lab: Command, home: ExperimentHome): void {
  lab
    .command("frontier")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("over load and errors: the best possible, who comes nearest, and maps with computed edges")
    .addOption(repeatOption("1"))
    .option("--json", "the results alone on stdout")
    .action((policies: string[], options: Options) => {
      const request = { policies, repeat: repeatOf(options), json: options.json === true };
      return ending(frontierCommand(contextOf(home), request));
    });
}

export function addExperiments(lab: Command, home: ExperimentHome): void {
  addCompare(lab, home);
  addAssert(lab, home);
  addSweep(lab, home);
  addMetastable(lab, home);
  addPublished(lab, home);
  addFrontier(lab, home);
}
