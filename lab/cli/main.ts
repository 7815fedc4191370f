/**
 * The lab's commands, for bin/lab and for whoever has Node at hand: `node dist/lab/cli/main.js run`.
 *
 *     exit 0  done; a run that was made is valid
 *     exit 1  a run failed, is invalid or was stopped
 *     exit 2  the input is wrong; every fault is printed and nothing was started
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { explainError } from "../../services/settings/known-error.ts";
import { outliveReaders } from "../../services/real-time/readers.ts";
import { endWithShell } from "../../services/real-time/shell.cjs";
import { labProgram } from "./program.ts";

outliveReaders();
endWithShell();

/** The folder with package.json, above the sources or above dist. */
function projectRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : projectRoot(dirname(from));
}
const home = {
  root: projectRoot(dirname(fileURLToPath(import.meta.url))),
  environment: process.env,
};

// bin/lab runs in the project's folder. A path that was typed counts from where it was typed.
const { LAB_FROM: from } = process.env;
if (from !== undefined) process.chdir(from);

try {
  await labProgram(home).parseAsync();
} catch (error) {
  // Commander has told already what is wrong with the command line.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = explainError(error, "lab", "nothing was started");
}
