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
import { Command, CommanderError, Option } from "commander";
import { ConfigError } from "../../services/settings/values.ts";
import { composeTiers } from "../worlds/compose/tiers.ts";
import { envFileOf } from "../../services/settings/env-file.ts";
import { addDefences } from "./defence-commands.ts";
import { addBoundaries } from "./boundary-commands.ts";
import { addExperiments } from "./commands.ts";
import { addTwin } from "../experiments/twin/command.ts";
import { listenForInterrupts } from "../runs/interrupt.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { LIVE_SETTINGS, live } from "../live/live.ts";
import { policyNames } from "../../services/settings/policy-files.ts";
import { readSummaries, ReportProblem } from "../runs/read-summaries.ts";
import { reportCommand } from "../report/command.ts";
import { readAmplification, ReportError } from "../report/data/read-run.ts";
import { makeRun } from "../worlds/make-run.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import { addSwitch } from "../observe/switch-command.ts";
import { sideBySide } from "../experiments/compare/side-by-side.ts";
import { traceCommand } from "../trace/command.ts";
import { addUp } from "./up.ts";

const say = (text: string): void => console.error(text);

/** The folder with package.json, above the sources or above dist. */
function projectRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : projectRoot(dirname(from));
}
const root = projectRoot(dirname(fileURLToPath(import.meta.url)));
const environment = process.env;

const settingsInto = (into?: string): Record<string, string> =>
  effectiveSettings({ root, environment, into });

interface ResolveOptions {
  readonly format: "env" | "json" | "compose";
  readonly json?: true;
  readonly into?: string;
  readonly get?: string;
}

function resolveCommand({ format, json, into, get }: ResolveOptions): void {
  const settings = settingsInto(into);
  if (get !== undefined) console.log(settings[get] ?? "");
  else if (json || format === "json") console.log(JSON.stringify(settings, null, 2));
  else if (format === "compose") console.log(JSON.stringify(composeTiers(settings), null, 2));
  else process.stdout.write(envFileOf(settings));
}

async function runCommand({ into, json }: { into?: string; json?: true }): Promise<void> {
  process.exitCode = await makeRun({
    env: settingsInto(into),
    ambient: surroundings(environment),
    loadArguments: json ? ["--json"] : [],
    ...listenForInterrupts(say),
    say,
  });
}

async function compareReports(folders: readonly string[], { json }: { json?: true }): Promise<void> {
  const runs = readSummaries(folders);
  if (json) return console.log(JSON.stringify(runs, null, 2));
  const overTime = await Promise.all(runs.map(({ folder }) => readAmplification(folder)));
  console.log(
    sideBySide(
      runs.map(({ summary }) => summary),
      overTime,
    ),
  );
}

function report(folder: string | undefined, { json, html }: { json?: true; html?: true }): Promise<void> {
  const reportsDir = settingsInto()["REPORTS_DIR"] ?? "reports";
  const form = html ? "html" : json ? "json" : "path";
  return reportCommand({ folder, reportsDir, form, print: (text) => console.log(text) });
}

function trace(id: string, folder: string | undefined, { json }: { json?: true }): Promise<void> {
  const reportsDir = settingsInto()["REPORTS_DIR"] ?? "reports";
  return traceCommand({ id, folder, reportsDir, json: json === true, print: (text) => console.log(text) });
}

async function liveCommand({ port, json }: { port: string; json?: true }): Promise<void> {
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535) {
    throw new ConfigError([`--port ${port}: a number from 0 to 65535 is needed (0 picks a free one).`]);
  }
  const settingsFor = (policy?: string): Record<string, string> => {
    const chosen = policy === undefined ? {} : { POLICY: policy };
    return effectiveSettings({ root, environment: { ...LIVE_SETTINGS, ...environment, ...chosen } });
  };
  process.exitCode = await live({
    run: {
      env: settingsFor(),
      ambient: surroundings(environment),
      loadArguments: [],
      ...listenForInterrupts(say),
      say,
    },
    policies: policyNames(root),
    settingsFor,
    port: Number(port),
    ready: (url) => console.log(json ? JSON.stringify({ url }) : `Live: ${url} (Ctrl-C ends it)`),
  });
}

function addPages(lab: Command): void {
  lab
    .command("report")
    .argument("[folder]", "a run's folder, or one with several runs; the latest by default")
    .description("make the page of a run, or of several side by side, and print where it is")
    .option("--json", "machine-readable output alone on stdout")
    .option("--html", "the page itself on stdout; nothing is written")
    .action(report);
  lab
    .command("trace")
    .argument("<request id>", "as in records.ndjson, such as s1-17")
    .argument("[folder]", "a run's folder; the latest by default")
    .description("one request's tree of attempts, from the run made again in virtual time")
    .option("--json", "the same for programs")
    .action(trace);
  lab
    .command("live")
    .description("a page on loopback that shows the chain under continuous load, with its controls")
    .option("--port <number>", "port of the page; 0 picks a free one", "0")
    .option("--json", "the page's address as JSON on stdout")
    .action(liveCommand);
}

function program(): Command {
  const lab = new Command("lab").description("The retry-storm testbed. `make help` lists the verbs.");
  lab.exitOverride().showHelpAfterError("(`lab help` lists the commands)");
  const into = new Option("--into <folder>", "a folder within REPORTS_DIR for the report");
  const json = new Option("--json", "machine-readable output alone on stdout");
  lab
    .command("run")
    .description("one run with the settings of the environment, as processes or in virtual time (WORLD)")
    .addOption(into)
    .addOption(json)
    .action(runCommand);
  lab
    .command("resolve")
    .description("check the settings and print them all; exit 2 lists every fault")
    .addOption(new Option("--format <format>", "output").choices(["env", "json", "compose"]).default("env"))
    .addOption(into)
    .option("--get <name>", "print one setting's value")
    .option("--json", "the same as --format json")
    .action(resolveCommand);
  lab
    .command("compare-reports")
    .argument("<folder...>", "report folders, or a folder of such")
    .description("print runs side by side")
    .addOption(json)
    .action(compareReports);
  addUp(lab, { root, environment });
  addPages(lab);
  addSwitch(lab, { root, environment });
  addExperiments(lab, { root, environment });
  addDefences(lab, { root, environment });
  addBoundaries(lab, { root, environment });
  addTwin(lab, { root, environment });
  return lab;
}

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
  await program().parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}
