/**
 * The row of an experiment in the registry of verbs: what all experiments have in common, their surroundings, options and
 * exit code, and what each says of itself.
 *
 *     exit 0  done     exit 1  a run failed, is invalid or was stopped     exit 2  the input is wrong
 */
import { availableParallelism } from "node:os";
import { Argument, Option, type Command } from "commander";
import { list } from "../../loadgen/core/format.ts";
import { knobNamed } from "../../services/settings/knobs/knobs.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { allOf, type ExperimentContext } from "./context.ts";
import { EXPERIMENT_WORLDS, type ExperimentWorld } from "./runner.ts";
import { RunFailed, Stopped } from "./stopped.ts";
import type { CommandHome, Verb } from "./verb.ts";
import { userWords } from "../../services/settings/user-words.ts";

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
  /** Where its runs are made if there is no --world to say so; "virtual" where absent. */
  readonly world?: ExperimentWorld;
  /** The settings that it takes, where it is not made of plain runs, and why it takes no others. Absent: see planned.ts. */
  readonly takes?: readonly string[];
  readonly takesWhy?: string;
  /** By setting: what to do instead of typing one that the experiment sets itself. */
  readonly instead?: Readonly<Record<string, string>>;
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

/** --world, or WORLD as it was typed or exported. @throws ConfigError */
export function chosenWorld(
  { world }: ExperimentOptions,
  { typed, exported, valueOf }: ExperimentContext,
): ExperimentWorld | undefined {
  const isTyped = typed.includes("WORLD");
  const said = isTyped || exported.includes("WORLD") ? valueOf("WORLD") : undefined;
  if (isTyped && world !== undefined && world !== said)
    throw new ConfigError([`WORLD=${said} and --world ${world}: say it once.`]);
  const known = EXPERIMENT_WORLDS.find((one) => one === (world ?? said));
  if (isTyped && known === undefined)
    throw new ConfigError([`WORLD=${said}: experiments run in ${EXPERIMENT_WORLDS.join(" or ")}.`]);
  return known;
}

/** Virtual time where nothing else was said: it takes moments. */
export const worldOf = (options: ExperimentOptions, context: ExperimentContext): ExperimentWorld =>
  chosenWorld(options, context) ?? "virtual";

/** What is typed is for this experiment to take. @throws ConfigError with all that it does not */
export function takeOnly({ typed, valueOf }: ExperimentContext, taken: readonly string[], why: string): void {
  const wrong = typed.filter((name) => !taken.includes(name));
  if (wrong.length > 0) throw new ConfigError(wrong.map((name) => `${name}=${valueOf(name)}: ${why} Leave it out.`));
}

/** Says what of the environment and of .env is not for this experiment to take; what is as by default is left unsaid. */
function noteOthers(context: ExperimentContext, taken: readonly string[], why: string): void {
  const { exported, inFile, typed, valueOf, note } = context;
  const others = (names: readonly string[]): string[] =>
    names
      .filter((name) => !taken.includes(name) && !typed.includes(name) && valueOf(name) !== knobNamed(name)?.default)
      .map((name) => `${name}=${valueOf(name)}`);
  const tell = (settings: readonly string[], where: string): void => {
    if (settings.length > 0) note(`${list(settings)} ${where}: no effect here. ${why}`);
  };
  tell(others(exported), "in the environment");
  tell(others(inFile.filter((name) => !exported.includes(name))), "in .env");
}

const hasWorldOption = (options: readonly Option[] = []): boolean => options.some(({ long }) => long === "--world");

/** @throws ConfigError where this experiment has no such world, or does not take the settings that were typed */
function checkWords<Options>(
  { options, world = "virtual", takes, takesWhy = "" }: ExperimentRow<Options>,
  context: ExperimentContext,
): void {
  const { typed, valueOf } = context;
  allOf([
    () => {
      if (hasWorldOption(options) || !typed.includes("WORLD") || valueOf("WORLD") === world) return;
      const where = world === "virtual" ? "in virtual time" : "as local processes";
      throw new ConfigError([`WORLD=${valueOf("WORLD")}: this experiment runs ${where}. Leave it out.`]);
    },
    () => {
      if (takes === undefined) return;
      // A world that is typed has been judged above.
      const taken = typed.includes("WORLD") || valueOf("WORLD") === world ? [...takes, "WORLD"] : takes;
      takeOnly(context, taken, takesWhy);
      noteOthers(context, taken, takesWhy);
    },
  ]);
}

/** The words behind the verb; where they name policies, POLICY names one as well. @throws ConfigError for both at once */
function wordsBehind(command: Command, { typed, valueOf }: ExperimentContext): readonly string[] {
  const words = (command.processedArgs[0] ?? []) as string[];
  if (command.registeredArguments[0]?.name() !== POLICIES || !typed.includes("POLICY")) return words;
  const policy = valueOf("POLICY");
  if (command.args.length === 0) return [policy];
  throw new ConfigError([
    `POLICY=${policy} does not go with ${command.args.join(" ")}: name all of them behind the verb.`,
  ]);
}

function contextOf(
  { root, environment, print = (text) => console.log(text) }: CommandHome,
  { json, markdown }: ExperimentOptions,
  instead: Readonly<Record<string, string>>,
): ExperimentContext {
  const say = (text: string): void => console.error(text);
  const noted = new Set<string>();
  return {
    ...userWords({ root, environment }),
    ambient: surroundings(environment),
    interrupt: listenForInterrupts(say),
    json: json === true,
    markdown: markdown === true,
    threads: availableParallelism(),
    say,
    note: (text) => {
      if (!noted.has(text)) say(text);
      noted.add(text);
    },
    instead,
    print,
    stamp: `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}Z`,
  };
}

const POLICIES = "policies";

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

/** @param usual where they are made if nothing is said */
export const worldOption = (usual = "virtual"): Option =>
  new Option("--world <world>", `where the runs are made; ${usual} where nothing is said`).choices([
    ...EXPERIMENT_WORLDS,
  ]);

export const repeatOption = (times: string): Option =>
  new Option("--repeat <n>", "runs of each, with seeds from SEED on").default(times);

export const policiesArgument = (...names: string[]): Argument =>
  new Argument(`[${POLICIES}...]`, "names of files in policies/").default(names);

/** @throws ConfigError, before anything is run, with what of the settings is not for this experiment */
export function performed<Options extends ExperimentOptions>(
  row: ExperimentRow<Options>,
  command: Command,
  context: ExperimentContext,
): Promise<number> {
  const [words] = allOf([() => wordsBehind(command, context), () => checkWords(row, context)]);
  return row.run(context, command.opts<Options>(), words);
}

export function experimentVerb<Options extends ExperimentOptions>(row: ExperimentRow<Options>): Verb {
  const { name, summary, page, group = "find out more", make = true, runsIn = "node", argument, options = [] } = row;
  return {
    name,
    summary,
    group,
    make,
    runsIn,
    ...(page === undefined ? {} : { page }),
    perform: (command, context) => performed(row, command, context),
    add: (command, home) => {
      if (argument !== undefined) command.addArgument(argument);
      for (const option of options) command.addOption(option);
      command.addOption(new Option("--json", "the result alone on stdout").conflicts("markdown"));
      command.addOption(new Option("--markdown", "tables that can be pasted into a page"));
      command.action(() => {
        const context = contextOf(home, command.opts<Options>(), row.instead ?? {});
        return ending(Promise.resolve().then(() => performed(row, command, context)));
      });
    },
  };
}
