/**
 * The load program, but for the page of its report: lab/worlds/load adds that. Its settings come from the environment, and
 * its only argument is --json.
 *
 *     exit 0  the run is valid
 *     exit 1  it is invalid, was interrupted, or failed; what was measured is kept
 *     exit 2  the settings are wrong: every fault is printed and nothing was sent
 *
 * The result goes to stdout, all else to stderr. A second Ctrl-C, half a second after the first, exits at once.
 */
import { relative } from "node:path";
import { explainError } from "../../services/settings/known-error.ts";
import { ConfigError, readValues } from "../../services/settings/values.ts";
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import { loadConfigOf, type LoadConfig } from "../core/config.ts";
import { createInterrupts } from "./interrupts.ts";
import { startLoadMetrics } from "../output/metrics-endpoint.ts";
import { createProgress } from "../output/progress.ts";
import { environmentText } from "../output/report-folder.ts";
import { runLoad, type RunResult } from "./run.ts";
import { summaryText } from "../output/terminal.ts";
import { messageOf } from "../../services/settings/known-error.ts";

export interface LoadProgramParts {
  /** The arguments of the command line. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The wall clock. */
  readonly now: () => Date;
  /** Makes the page of the report in `folder`. */
  readonly render: (folder: string) => Promise<unknown>;
}

const say = (text: string): void => console.error(text);

function argumentProblems(words: readonly string[]): string[] {
  const unknown = words.filter((word) => word !== "--json");
  if (unknown.length === 0) return [];
  return [`${unknown.join(" ")}: unknown. The only argument is --json; all else is the environment's.`];
}

function chainProblems(chain: string | undefined): string[] {
  if (chain !== undefined && chain.trim() !== "") return [];
  return [
    "CHAIN must name the tiers, from the client's side down: edge=http://127.0.0.1:8080,api=http://…,backend=http://…. It is not set; bin/lab sets it.",
  ];
}

interface Input {
  readonly json: boolean;
  readonly config: LoadConfig;
  /** The text of `effective.env`. */
  readonly environment: string;
  /** Where /metrics is served; port 0: nowhere. */
  readonly listen: { readonly host: string; readonly port: number };
}

/** @throws ConfigError with the faults of the arguments and of the environment, all at once */
function readInput(words: readonly string[], env: LoadProgramParts["environment"]): Input {
  const problems = [...argumentProblems(words), ...chainProblems(env["CHAIN"])];
  try {
    const values = readValues(env);
    if (problems.length === 0) {
      const environment = environmentText(values.effective());
      const listen = { host: values.text("HOST"), port: values.number("PORT") };
      return { json: words.length > 0, config: loadConfigOf(values), environment, listen };
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  throw new ConfigError(problems);
}

/** The first interrupt ends the run in good order, a later one the process. */
function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  const meaningAt = createInterrupts();
  const interrupt = (): void => {
    const meaning = meaningAt(monotonicMs());
    if (meaning === "exit") process.exit(1);
    if (meaning === "same") return;
    say("Stopping; what was measured is kept. Once more to exit at once.");
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  // The lab that started it has gone, perhaps before this line. The channel itself keeps no process alive.
  process.on("disconnect", interrupt);
  if (process.connected === false) interrupt();
  process.channel?.unref();
  return controller.signal;
}

/** The page is an extra: without it the run is as good as it was. */
async function writePage(folder: string, render: LoadProgramParts["render"]): Promise<void> {
  try {
    await render(folder);
  } catch (error) {
    say(`report.html could not be made: ${messageOf(error)}`);
  }
}

/** From the folder that the user is in; in a container that is the one place where the path is true outside as well. */
function shown(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const path = relative(process.cwd(), folder);
  return path.startsWith("..") ? folder : path;
}

async function present(
  result: RunResult,
  json: boolean,
  { environment, render }: LoadProgramParts,
): Promise<number> {
  const { summary, folder, overTime, reportProblem } = result;
  if (folder !== undefined) await writePage(folder, render);
  const colour = process.stdout.isTTY && (environment["NO_COLOR"] ?? "") === "";
  const text = json
    ? `${JSON.stringify(summary, null, 2)}\n`
    : summaryText(summary, shown(folder), colour, overTime);
  process.stdout.write(text);
  if (reportProblem !== undefined) say(`load: ${reportProblem} The result above is not saved.`);
  return summary.valid && reportProblem === undefined ? 0 : 1;
}

async function run(parts: LoadProgramParts): Promise<number> {
  const { json, config, environment, listen } = readInput(parts.words, parts.environment);
  const metrics = await startLoadMetrics(config, listen);
  let result: RunResult | undefined;
  try {
    result = await runLoad({
      config,
      environment,
      now: parts.now,
      stop: listenForInterrupts(),
      progress: () => createProgress(config.durationS, process.stderr),
      watch: metrics?.watch,
    });
  } finally {
    await metrics?.stop();
  }
  if (result === undefined) {
    say("load: stopped before anything was measured; no report was left.");
    return 1;
  }
  return present(result, json, parts);
}

/** Runs the program: one load, its report. Resolves with the exit code. */
export async function loadProgram(parts: LoadProgramParts): Promise<number> {
  try {
    return await run(parts);
  } catch (error) {
    return explainError(error, "load", "nothing was sent");
  }
}
