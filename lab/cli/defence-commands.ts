/** The commands that show what single defences do: ablate, fleet, hedge and herd. What each does is in the file of its name. */
import { ablateCommand } from "../experiments/ablate/command.ts";
import type { Verb } from "../runs/verb.ts";
import { contextOf, ending, repeatOf, repeatOption, type Options } from "../runs/command-options.ts";
import { fleetCommand } from "../experiments/fleet/command.ts";
import { hedgeCommand } from "../experiments/hedge/command.ts";
import { herdCommand } from "../experiments/herd/command.ts";

export const verbAblate: Verb = {
  name: "ablate",
  summary: "naive with each defence alone, budgeted without each of its parts",
  group: "find out more",
  page: "docs/ablation.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .addOption(repeatOption("10"))
      .option("--json", "the result alone on stdout")
      .action((options: Options) => {
        const request = { repeat: repeatOf(options), json: options.json === true };
        return ending(ablateCommand(contextOf(home), request));
      });
  },
};
export const verbFleet: Verb = {
  name: "fleet",
  summary: "four apis with a retry budget each, or one for all in Redis; its store killed, and frozen",
  group: "find out more",
  page: "docs/fleet-budget.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .option("--json", "the result alone on stdout")
      .action(({ json }: Options) => ending(fleetCommand(contextOf(home), { json: json === true })));
  },
};
export const verbHedge: Verb = {
  name: "hedge",
  summary: "second copies of slow reads: what they cut, cost and cannot help",
  group: "find out more",
  page: "docs/hedging.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .addOption(repeatOption("5"))
      .option("--json", "the result alone on stdout")
      .action((options: Options) => {
        const request = { repeat: repeatOf(options), json: options.json === true };
        return ending(hedgeCommand(contextOf(home), request));
      });
  },
};
export const verbHerd: Verb = {
  name: "herd",
  summary: "many clients cut off at one moment: what jitter is for",
  group: "find out more",
  page: "docs/herd.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .addOption(repeatOption("10"))
      .option("--json", "the result alone on stdout")
      .action((options: Options) => {
        const request = { repeat: repeatOf(options), json: options.json === true };
        return ending(herdCommand(contextOf(home), request));
      });
  },
};
