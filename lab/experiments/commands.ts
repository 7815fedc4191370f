/** The experiments' commands: compare, assert, sweep. What each does is in the file of its name. */
import { availableParallelism } from "node:os";
import { Option, type Command } from "commander";
import { ConfigError } from "../../services/platform/values.ts";
import { listenForInterrupts } from "../interrupt.ts";
import { surroundings } from "../overrides.ts";
import { effectiveSettings } from "../settings.ts";
import { assertCommand, compareCommand } from "./compare.ts";
import type { ExperimentContext } from "./context.ts";
import { frontierCommand } from "./frontier.ts";
import { metastableCommand } from "./metastable-command.ts";
import { publishedCommand } from "./published.ts";
import { EXPERIMENT_WORLDS, type ExperimentWorld } from "./runner.ts";
import { Stopped } from "./stopped.ts";
import { sweepCommand } from "./sweep.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ExperimentHome {
  /** The project's folder. */
  readonly root: string;
  readonly environment: Environment;
}

export interface Options {
  readonly repeat?: string;
  readonly world?: ExperimentWorld;
  readonly json?: true;
  readonly from?: string;
  readonly policy?: string;
  readonly vary?: string[];
  readonly trigger?: string;
}

/** More seeds than this are a slip. */
const MOST_REPEATS = 1000;

export function repeatOf({ repeat = "1" }: Options): number {
  const value = Number(repeat);
  if (/^\d{1,4}$/.test(repeat) && value >= 1 && value <= MOST_REPEATS) return value;
  throw new ConfigError([`--repeat ${repeat}: a whole number from 1 to ${MOST_REPEATS} is needed.`]);
}

function typedNames(environment: Environment): string[] {
  return (environment["LAB_OVERRIDES"] ?? "").split(/\s+/).filter((name) => name !== "");
}

/** --world, or a WORLD that was typed; else virtual time, which takes moments. */
function worldOf({ world }: Options, environment: Environment): ExperimentWorld {
  const typed = typedNames(environment).includes("WORLD") ? environment["WORLD"] : undefined;
  const wanted = world ?? typed ?? "virtual";
  const known = EXPERIMENT_WORLDS.find((one) => one === wanted);
  if (known !== undefined) return known;
  throw new ConfigError([`WORLD=${wanted}: experiments run in ${EXPERIMENT_WORLDS.join(" or ")}.`]);
}

export function contextOf({ root, environment }: ExperimentHome): ExperimentContext {
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
    threads: availableParallelism(),
    say,
    print: (text) => console.log(text),
    stamp: `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}Z`,
  };
}

/** Sets the exit code; an experiment that the user stopped has failed. */
export async function ending(work: Promise<number>): Promise<void> {
  try {
    process.exitCode = await work;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.exitCode = 1;
  }
}

const listOf = (text: string): string[] => text.split(",").map((name) => name.trim());

const worldOption = (): Option =>
  new Option("--world <world>", "where the runs are made (virtual where nothing is said)").choices([
    ...EXPERIMENT_WORLDS,
  ]);

export const repeatOption = (times: string): Option =>
  new Option("--repeat <n>", "runs of each, with seeds from SEED on").default(times);

function addCompare(lab: Command, home: ExperimentHome): void {
  lab
    .command("compare")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("policies over the same seeds: medians, 95 % intervals, paired differences")
    .addOption(repeatOption("10"))
    .addOption(worldOption())
    .option("--json", "the comparison alone on stdout")
    .action((policies: string[], options: Options) => {
      const request = {
        policies,
        repeat: repeatOf(options),
        world: worldOf(options, home.environment),
        json: options.json === true,
      };
      return ending(compareCommand(contextOf(home), request));
    });
}

function addAssert(lab: Command, home: ExperimentHome): void {
  lab
    .command("assert")
    .argument("<assertion...>", "such as 'budgeted.amplification < 1.6'")
    .description("exit 0 where all assertions hold, 1 where one does not")
    .option("--from <folder>", "a comparison that was made before; without it, one is made")
    .addOption(repeatOption("10"))
    .addOption(worldOption())
    .action((texts: string[], options: Options) => {
      const request = {
        texts,
        from: options.from,
        repeat: repeatOf(options),
        world: worldOf(options, home.environment),
      };
      return ending(assertCommand(contextOf(home), request));
    });
}

function addSweep(lab: Command, home: ExperimentHome): void {
  lab
    .command("sweep")
    .description("every combination of what is varied, on all cores; the same command goes on after a Ctrl-C")
    .option("--policy <names>", "policies, with commas between", "naive")
    .requiredOption("--vary <name=from..to:step...>", "what to vary; may be given several times")
    .addOption(repeatOption("1"))
    .addOption(worldOption())
    .option("--json", "the result alone on stdout")
    .action((options: Options) => {
      const request = {
        policies: listOf(options.policy ?? "naive"),
        vary: options.vary ?? [],
        repeat: repeatOf(options),
        world: worldOf(options, home.environment),
        json: options.json === true,
      };
      return ending(sweepCommand(contextOf(home), request));
    });
}

function addMetastable(lab: Command, home: ExperimentHome): void {
  lab
    .command("metastable")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("a trigger comes and goes under unchanged load: who recovers, and what helps who does not")
    .option("--trigger <names>", "with commas between; all of them where nothing is said")
    .addOption(worldOption())
    .option("--json", "the results alone on stdout")
    .action((policies: string[], options: Options) => {
      const both = options.world === undefined && !typedNames(home.environment).includes("WORLD");
      const command = {
        policies,
        triggers: options.trigger === undefined ? [] : listOf(options.trigger),
        worlds: both ? [...EXPERIMENT_WORLDS] : [worldOf(options, home.environment)],
        json: options.json === true,
      };
      return ending(metastableCommand(contextOf(home), command));
    });
}

function addPublished(lab: Command, home: ExperimentHome): void {
  lab
    .command("published")
    .description("the published lab's runs on its own model, and what each fault of its wiring cost")
    .addOption(repeatOption("20"))
    .addOption(worldOption())
    .option("--json", "the results alone on stdout")
    .action((options: Options) => {
      const world = worldOf(options, home.environment);
      const request = { repeat: repeatOf(options), world, json: options.json === true };
      return ending(publishedCommand(contextOf(home), request));
    });
}

function addFrontier(lab: Command, home: ExperimentHome): void {
  lab
    .command("frontier")
    .argument("[policies...]", "names of files in policies/", ["naive", "budgeted", "owner"])
    .description("over load and errors: the best possible, who comes nearest, and maps with computed edges")
    .addOption(repeatOption("1"))
    .option("--json", "the results alone on stdout")
    .action((policies: string[], options: Options) => {
      const request = { policies, repeat: repeatOf(options), json: options.json === true };
      return ending(frontierCommand(contextOf(home), request));
    });
}

export function addExperiments(lab: Command, home: ExperimentHome): void {
  addCompare(lab, home);
  addAssert(lab, home);
  addSweep(lab, home);
  addMetastable(lab, home);
  addPublished(lab, home);
  addFrontier(lab, home);
}
