/**
 * The load program, but for the page of its report: lab/worlds/load adds that. Its settings come from the
 * environment, and its only argument is --json.
 *
 *     exit 0  the run is valid
 *     exit 1  it is invalid, was interrupted, or failed; what was measured is kept
 *     exit 2  the settings are wrong: every fault is printed and nothing was sent
 *
 * The result goes to stdout, all else to stderr. A second Ctrl-C, half a second after the first, exits at once.
 */
import { explainError } from "../../services/settings/known-error.ts";
import { ConfigError, readValues } from "../../services/settings/values.ts";
import { loadConfigOf, type LoadConfig } from "../core/config.ts";
import { onInterrupt } from "./interrupts.ts";
import { presentRun, type Presentation } from "./present.ts";
import { startLoadMetrics } from "../output/metrics-endpoint.ts";
import { createProgress } from "../output/progress.ts";
import { environmentText } from "../output/report-folder.ts";
import { runLoad, type RunResult } from "./run.ts";

export interface LoadProgramParts {
  /** The arguments of the command line. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The wall clock. */
  readonly now: () => Date;
  readonly render: Presentation["render"];
}

const say = (text: string): void => console.error(text);

function argumentProblems(args: readonly string[]): string[] {
  const unknown = args.filter((arg) => arg !== "--json");
  if (unknown.length === 0) return [];
  return [`${unknown.join(" ")}: unknown. The only argument is --json; all else is the environment's.`];
}

/** What is wrong with CHAIN where it names no tier; its other faults are those of its knob. */
export function missingChain(chain: string | undefined): string[] {
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
function readInput(args: readonly string[], env: LoadProgramParts["environment"]): Input {
  const problems = [...argumentProblems(args), ...missingChain(env["CHAIN"])];
  try {
    const values = readValues(env);
    if (problems.length === 0) {
      const environment = environmentText(values.effective());
      const listen = { host: values.text("HOST"), port: values.number("PORT") };
      return { json: args.length > 0, config: loadConfigOf(values), environment, listen };
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  throw new ConfigError(problems);
}

/** The first interrupt ends the run in good order, a later one the process. */
function stopOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  const interrupt = onInterrupt(() => {
    say("Stopping; what was measured is kept. Once more to exit at once.");
    controller.abort();
  });
  // The lab that started it has gone, perhaps before this line. The channel itself keeps no process alive.
  process.on("disconnect", () => interrupt("disconnect"));
  if (process.connected === false) interrupt("disconnect");
  process.channel?.unref();
  return controller.signal;
}

async function run(parts: LoadProgramParts): Promise<number> {
  const { json, config, environment, listen } = readInput(parts.args, parts.environment);
  const metrics = listen.port === 0 ? undefined : await startLoadMetrics(config, listen);
  let result: RunResult | undefined;
  try {
    result = await runLoad({
      config,
      environment,
      now: parts.now,
      stop: stopOnInterrupt(),
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
  return presentRun(result, {
    json,
    environment: parts.environment,
    print: (text) => process.stdout.write(text),
    say: (text) => say(`load: ${text}`),
    render: parts.render,
  });
}

/** Runs the program: one load, its report. Resolves with the exit code. */
export async function loadProgram(parts: LoadProgramParts): Promise<number> {
  try {
    return await run(parts);
  } catch (error) {
    return explainError(error, "load", "nothing was sent");
  }
}
