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
import { ConfigError } from "../../services/settings/values.ts";
import { ReportError } from "../report/data/read-run.ts";
import { ReportProblem } from "../runs/read-summaries.ts";
import { labProgram } from "./program.ts";

const say = (text: string): void => console.error(text);

/** The folder with package.json, above the sources or above dist. */
function projectRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : projectRoot(dirname(from));
}
const home = {
  root: projectRoot(dirname(fileURLToPath(import.meta.url))),
  environment: process.env,
};

/** What a person should read, and the exit code. Anything unforeseen is thrown on, with its stack. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    say("The settings are wrong, nothing was started:");
    for (const problem of error.problems) say(`  ${problem}`);
    return 2;
  }
  if (error instanceof ReportProblem || error instanceof ReportError) {
    say(error.message);
    return 2;
  }
  throw error;
}

try {
  await labProgram(home).parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}
