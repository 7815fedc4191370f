/**
 * The load program: `node dist/loadgen/main.js [--json]`. Its settings come from the environment.
 *
 *     exit 0  the run is valid
 *     exit 1  it is invalid, was interrupted, or failed; what was measured is kept
 *     exit 2  the settings are wrong: every fault is printed and nothing was sent
 *
 * The result goes to stdout, all else to stderr. A second Ctrl-C exits at once.
 */
import { ConfigError, readValues } from "../services/platform/values.ts";
import { loadConfigOf, type LoadConfig } from "./config.ts";
import { createProgress } from "./progress.ts";
import { environmentText, ReportFolderError } from "./report-folder.ts";
import { makeRun, type RunResult } from "./run.ts";
import { summaryText } from "./terminal.ts";
import { TierError } from "./tiers.ts";

const say = (text: string): void => console.error(text);

function readArguments(words: readonly string[]): { json: boolean } {
  const unknown = words.filter((word) => word !== "--json");
  if (unknown.length > 0) {
    throw new ConfigError([
      `${unknown.join(" ")}: unknown. The only argument is --json; all else is the environment's.`,
    ]);
  }
  return { json: words.length > 0 };
}

function readSettings(): { config: LoadConfig; environment: string } {
  const values = readValues(process.env);
  const config = loadConfigOf(values);
  if (config.chain.length === 0) {
    throw new ConfigError([
      "CHAIN must name the tiers, from the client's side down: edge=http://127.0.0.1:8080,api=http://…,backend=http://…. It is not set; bin/lab sets it.",
    ]);
  }
  return { config, environment: environmentText(values.effective()) };
}

/** The first interrupt ends the run in good order, the second one the process. */
function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(1);
    say("Stopping; what was measured is kept. Once more to exit at once.");
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  return controller.signal;
}

/** The page is an extra: without it the run is as good as it was. */
async function renderPage(folder: string): Promise<void> {
  try {
    const { renderRun } = await import("../lab/report/write-report.ts");
    await renderRun(folder);
  } catch (error) {
    say(`report.html could not be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function present({ summary, folder, reportProblem }: RunResult, json: boolean): Promise<number> {
  if (folder !== undefined) await renderPage(folder);
  const colour = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  const text = json ? `${JSON.stringify(summary, null, 2)}\n` : summaryText(summary, folder, colour);
  process.stdout.write(text);
  if (reportProblem !== undefined) say(`load: ${reportProblem} The result above is not saved.`);
  return summary.valid && reportProblem === undefined ? 0 : 1;
}

async function run(): Promise<number> {
  const { json } = readArguments(process.argv.slice(2));
  const { config, environment } = readSettings();
  const result = await makeRun({
    config,
    environment,
    now: () => new Date(),
    stop: listenForInterrupts(),
    progress: () => createProgress(config.durationS, process.stderr),
  });
  if (result === undefined) {
    say("load: stopped before anything was measured; no report was left.");
    return 1;
  }
  return present(result, json);
}

/** What a person should read, and the exit code. Anything unforeseen is thrown on, with its stack. */
function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    say("load: the settings are wrong, nothing was sent:");
    for (const problem of error.problems) say(`  ${problem}`);
    return 2;
  }
  if (error instanceof TierError || error instanceof ReportFolderError) {
    say(`load: ${error.message}`);
    return 1;
  }
  throw error;
}

// The lab's timers keep no process alive, so something else has to until the run is over.
const alive = setInterval(() => {}, 2 ** 30);
try {
  process.exitCode = await run();
} catch (error) {
  process.exitCode = explain(error);
} finally {
  clearInterval(alive);
}
