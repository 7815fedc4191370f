/** The commands that show where a policy, or a budget, stops to work: map and scale. What each does is in the file of its name. */
import type { Verb } from "../runs/verb.ts";
import { contextOf, ending, repeatOf, repeatOption, type Options } from "../runs/command-options.ts";
import { mapCommand } from "../experiments/map/command.ts";
import { scaleCommand } from "../experiments/scale/command.ts";

interface MapOptions extends Options {
  readonly load: string;
  readonly length: string;
}

export const verbMap: Verb = {
  name: "map",
  summary: "over load and length of a capacity dip: who is still down afterwards",
  group: "find out more",
  page: "docs/frontier-and-maps.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
      .option("--load <from..to:step>", "requests per second", "5,10,15,20,30,40,50,60,70,80")
      .option("--length <from..to:step>", "seconds that the dip lasts", "0.1,0.2,0.3,0.5,0.7,1,2,5")
      .addOption(repeatOption("1"))
      .option("--json", "the results alone on stdout")
      .action((policies: string[], options: MapOptions) => {
        const { load, length } = options;
        const request = {
          policies,
          loads: load,
          lengths: length,
          repeat: repeatOf(options),
          json: options.json === true,
        };
        return ending(mapCommand(contextOf(home), request));
      });
  },
};

export const verbScale: Verb = {
  name: "scale",
  summary: "10,000 clients, 100 instances: retry budgets of their own against one for all of them",
  group: "find out more",
  page: "docs/scale.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .addOption(repeatOption("5"))
      .option("--json", "the results alone on stdout")
      .action((options: Options) => {
        const request = { repeat: repeatOf(options), json: options.json === true };
        return ending(scaleCommand(contextOf(home), request));
      });
  },
};
