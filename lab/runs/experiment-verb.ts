/**
 * The row of an experiment in the registry of verbs: what all experiments have in common, their surroundings, options and
 * exit code, and what each says of itself.
 *
 *     exit 0  done     exit 1  a run failed, is invalid or was stopped     exit 2  the input is wrong
 */
import { availableParallelism } from "node:os";
import { Argument, Option } from "commander";
import { ConfigError } from "../../services/settings/values.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { ExperimentContext } from "./context.ts";
import { EXPERIMENT_WORLDS, type ExperimentWorld } from "./runner.ts";
import { RunFailed, Stopped } from "./stopped.ts";
import type { CommandHome, Verb } from "./verb.ts";

export interface ExperimentOptions {
  readonly repeat?: string;
  readonly world?: ExperimentWorld;
  readonly json?: true;
  readonly markdown?: true;
}

export interface ExperimentRow<Options>
  extends Pick<Verb, "name" | "summary" | "page">, Partial<Pick<Verb, "group" | "make" | "runsIn">> {
  readonly argument?: Argument;
  /** Besides --json and --markdown, which each has. */
  readonly options?: readonly Option[];
  /** Runs, saves and prints. @param words the arguments that were typed @returns the exit code */
  readonly run: (context: ExperimentContext, options: Options, words: readonly string[]) => Promise<number>;
}

/** More seeds than this are a slip. */
const MOST_REPEATS = 1000;

export function repeatOf({ repeat = "1" }: ExperimentOptions): number {
  const value = Number(repeat);
  if (/^\d{1,4}$/.test(repeat) && value >= 1 && value <= MOST_REPEATS) return value;
  throw new ConfigError([`--repeat ${repeat}: a whole number from 1 to ${MOST_REPEATS} is needed.`]);
}

/** Names of the settings that the user typed. */
function typedNames(environment: CommandHome["environment"]): string[] {
  return (environment["LAB_OVERRIDES"] ?? "").split(/\s+/).filter((name) => name !== "");
}

/** --world, or a WORLD that was typed. */
export function chosenWorld(
  { world }: ExperimentOptions,
  { typed, settingsFor }: ExperimentContext,
): ExperimentWorld | undefined {
  const wanted = world ?? (typed.includes("WORLD") ? settingsFor({})["WORLD"] : undefined);
  const known = EXPERIMENT_WORLDS.find((one) => one === wanted);
  if (known === wanted) return known;
  throw new ConfigError([`WORLD=${wanted}: experiments run in ${EXPERIMENT_WORLDS.join(" or ")}.`]);
}

/** Virtual time where nothing else was said: it takes moments. */
export const worldOf = (options: ExperimentOptions, context: ExperimentContext): ExperimentWorld =>
  chosenWorld(options, context) ?? "virtual";

function contextOf(
  { root, environment, print = (text) => console.log(text) }: CommandHome,
  { json, markdown }: ExperimentOptions,
): ExperimentContext {
  const typed = typedNames(environment);
  const say = (text: string): void => console.error(text);
  return {
    settingsFor: (overrides) => {
      const names = [...new Set([...typed, ...Object.keys(overrides)])].join(" ");
      return effectiveSettings({ root, environment: { ...environment, ...overrides, LAB_OVERRIDES: names } });
    },
    ambient: surroundings(environment),
    typed,
    interrupt: listenForInterrupts(say),
    json: json === true,
    markdown: markdown === true,
    threads: availableParallelism(),
    say,
    print,
    stamp: `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}Z`,
  };
}

/** Sets the exit code; an experiment that the user stopped, or that could not make a run, has failed. */
async function ending(work: Promise<number>): Promise<void> {
  try {
    process.exitCode = await work;
  } catch (error) {
    if (error instanceof RunFailed) console.error(error.message);
    else if (!(error instanceof Stopped)) throw error;
    process.exitCode = 1;
  }
}

/** Names with commas between. */
export const listOf = (text: string): string[] => text.split(",").map((name) => name.trim());

export const worldOption = (): Option =>
  new Option("--world <world>", "where the runs are made (virtual where nothing is said)").choices([
    ...EXPERIMENT_WORLDS,
  ]);

export const repeatOption = (times: string): Option =>
  new Option("--repeat <n>", "runs of each, with seeds from SEED on").default(times);

export const policiesArgument = (...names: string[]): Argument =>
  new Argument("[policies...]", "names of files in policies/").default(names);

export function experimentVerb<Options extends ExperimentOptions>(row: ExperimentRow<Options>): Verb {
  const { argument, options = [], run, ...verb } = row;
  return {
    group: "find out more",
    make: true,
    runsIn: "node",
    ...verb,
    add: (command, home) => {
      if (argument !== undefined) command.addArgument(argument);
      for (const option of options) command.addOption(option);
      command.addOption(new Option("--json", "the result alone on stdout").conflicts("markdown"));
      command.addOption(new Option("--markdown", "tables that can be pasted into a page"));
      command.action(() => {
        const typed = command.opts<Options>();
        const words = (command.processedArgs[0] ?? []) as string[];
        return ending(run(contextOf(home, typed), typed, words));
      });
    },
  };
}
