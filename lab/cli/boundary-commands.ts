/** The commands that show where a policy, or a budget, stops to work: map and scale. What each does is in the file of its name. */
import type { Command } from "commander";
import {
  contextOf,
  ending,
  repeatOf,
  repeatOption,
  type ExperimentHome,
  type Options,
} from "../runs/command-options.ts";
import { mapCommand } from "../experiments/map/command.ts";
import { scaleCommand } from "../experiments/scale/command.ts";

interface MapOptions extends Options {
  readonly load: string;
  readonly length: string;
}

function addMap(lab: Command, home: ExperimentHome): void {
  lab
    .command("map")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("over load and length of a capacity dip: who is still down 30 s later, with computed edges")
    .option("--load <from..to:step>", "requests per second", "5,10,15,20,30,40,50,60,70,80")
    .option("--length <from..to:step>", "seconds that the dip lasts", "0.1,0.2,0.3,0.5,0.7,1,2,5")
    .addOption(repeatOption("1"))
    .option("--json", "the results alone on stdout")
    .action((policies: string[], options: MapOptions) => {
      const { load, length } = options;
      const command = {
        policies,
        loads: load,
        lengths: length,
        repeat: repeatOf(options),
        json: options.json === true,
      };
      return ending(mapCommand(contextOf(home), command));
    });
}

function addScale(lab: Command, home: ExperimentHome): void {
  lab
    .command("scale")
    .description("10,000 clients, 100 instances: budgets of their own against one for all of them")
    .addOption(repeatOption("5"))
    .option("--json", "the results alone on stdout")
    .action((options: Options) => {
      const command = { repeat: repeatOf(options), json: options.json === true };
      return ending(scaleCommand(contextOf(home), command));
    });
}

export function addBoundaries(lab: Command, home: ExperimentHome): void {
  addMap(lab, home);
  addScale(lab, home);
}
