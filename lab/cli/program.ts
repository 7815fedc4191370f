/** All commands of the lab, as commander reads them: the rows of the registry that are not bin/lab's alone. */
import { Command } from "commander";
import type { CommandHome } from "../runs/verb.ts";
import { VERBS } from "./verbs.ts";

export function labProgram(home: CommandHome): Command {
  const lab = new Command("bin/lab").description("The retry-storm testbed. bin/lab help lists the verbs.");
  lab.exitOverride().showHelpAfterError("(bin/lab help lists the verbs)");
  for (const { name, summary, add } of VERBS) add?.(lab.command(name).description(summary), home);
  return lab;
}
