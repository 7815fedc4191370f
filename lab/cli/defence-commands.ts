/** The commands that show what single defences do: ablate, fleet, hedge and herd. What each does is in the file of its name. */
import type { Command } from "commander";
import { ablateCommand } from "../experiments/ablate/command.ts";
import {
  contextOf,
  ending,
  repeatOf,
  repeatOption,
  type ExperimentHome,
  type Options,
} from "../runs/command-options.ts";
import { fleetCommand } from "../experiments/fleet/command.ts";
import { hedgeCommand } from "../experiments/hedge/command.ts";
import { herdCommand } from "../experiments/herd/command.ts";

export function addDefences(lab: Command, home: ExperimentHome): void {
  lab
    .command("ablate")
    .description("naive with each defence alone, budgeted without each of its parts, over the same seeds")
    .addOption(repeatOption("10"))
    .option("--json", "the result alone on stdout")
    .action((options: Options) => {
      const command = { repeat: repeatOf(options), json: options.json === true };
      return ending(ablateCommand(contextOf(home), command));
    });
  lab
    .command("fleet")
    .description("four apis with a retry budget each, or one for all in Redis: well, killed, and frozen")
    .option("--json", "the result alone on stdout")
    .action(({ json }: Options) => ending(fleetCommand(contextOf(home), { json: json === true })));
  lab
    .command("hedge")
    .description(
      "second copies of slow reads, against kinds of slowness: what they cut, cost, and cannot help",
    )
    .addOption(repeatOption("5"))
    .option("--json", "the result alone on stdout")
    .action((options: Options) => {
      const command = { repeat: repeatOf(options), json: options.json === true };
      return ending(hedgeCommand(contextOf(home), command));
    });
  lab
    .command("herd")
    .description("many clients cut off at one moment: how each backoff brings them back")
    .addOption(repeatOption("10"))
    .option("--json", "the result alone on stdout")
    .action((options: Options) => {
      const command = { repeat: repeatOf(options), json: options.json === true };
      return ending(herdCommand(contextOf(home), command));
    });
}
