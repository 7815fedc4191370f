/** One run, the settings of a run, and runs that are there side by side. */
import { Option } from "commander";
import { effectiveSettings } from "../../services/settings/effective.ts";
import { envFileOf } from "../../services/settings/env-file.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { sideBySide } from "../experiments/compare/side-by-side.ts";
import { readAmplification } from "../report/data/read-run.ts";
import { listenForInterrupts } from "../runs/interrupt.ts";
import { readSummaries } from "../report/data/read-summaries.ts";
import type { CommandHome, Verb } from "../runs/verb.ts";
import { composeTiers } from "../worlds/compose/tiers.ts";
import { makeRun } from "../worlds/make-run.ts";

const into = new Option("--into <folder>", "a folder within REPORTS_DIR for the report");
const json = new Option("--json", "machine-readable output alone on stdout");

interface RunOptions {
  readonly into?: string;
  readonly json?: true;
}

interface ResolveOptions extends RunOptions {
  readonly format: "env" | "json" | "compose";
  readonly get?: string;
}

async function run({ root, environment }: CommandHome, options: RunOptions): Promise<void> {
  const say = (text: string): void => console.error(text);
  process.exitCode = await makeRun({
    env: effectiveSettings({ root, environment, into: options.into }),
    ambient: surroundings(environment),
    loadArguments: options.json ? ["--json"] : [],
    ...listenForInterrupts(say),
    say,
  });
}

/** @throws ConfigError where there is no such setting */
function oneOf(settings: Readonly<Record<string, string>>, name: string): string {
  if (Object.hasOwn(settings, name)) return settings[name] ?? "";
  throw new ConfigError([`--get ${name.slice(0, 60)}: that is not a setting. .env.example lists them all.`]);
}

function resolve({ root, environment }: CommandHome, options: ResolveOptions): void {
  const settings = effectiveSettings({ root, environment, into: options.into });
  if (options.get !== undefined) console.log(oneOf(settings, options.get));
  else if (options.json || options.format === "json") console.log(JSON.stringify(settings, null, 2));
  else if (options.format === "compose") console.log(JSON.stringify(composeTiers(settings), null, 2));
  else process.stdout.write(envFileOf(settings));
}

async function compareReports(folders: readonly string[], options: { json?: true }): Promise<void> {
  const runs = readSummaries(folders);
  if (options.json) return console.log(JSON.stringify(runs, null, 2));
  const overTime = await Promise.all(runs.map(({ folder }) => readAmplification(folder)));
  const summaries = runs.map(({ summary }) => summary);
  console.log(sideBySide(summaries, overTime));
}

export const verbRun: Verb = {
  name: "run",
  summary: "one run of any policy: make run POLICY=owner RATE=60 DURATION_S=20 SEED=1",
  group: "the story",
  make: true,
  runsIn: "shell",
  add: (command, home) => {
    command
      .addOption(new Option("--into <folder>").hideHelp()) // bin/lab's, for the runs of one comparison
      .addOption(json)
      .action((options: RunOptions) => run(home, options));
  },
};

export const verbResolve: Verb = {
  name: "resolve",
  summary: "check the settings and print them all; exit 2 lists every fault",
  group: "inside",
  make: false,
  runsIn: "world",
  add: (command, home) => {
    command
      .addOption(new Option("--format <format>", "output").choices(["env", "json", "compose"]).default("env"))
      .addOption(into)
      .option("--get <name>", "print one setting's value")
      .option("--json", "the same as --format json")
      .action((options: ResolveOptions) => resolve(home, options));
  },
};

export const verbCompareReports: Verb = {
  name: "compare-reports",
  summary: "print runs side by side",
  group: "inside",
  make: false,
  runsIn: "world",
  add: (command) => {
    command.argument("<folder...>", "report folders, or a folder of such").addOption(json).action(compareReports);
  },
};
