/** What the experiments' commands have in common: their options, their surroundings, their exit code. */
import { availableParallelism } from "node:os";
import { Option } from "commander";
import { ConfigError } from "../../services/settings/values.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { ExperimentContext } from "./context.ts";
import { EXPERIMENT_WORLDS, type ExperimentWorld } from "./runner.ts";
import { RunFailed, Stopped } from "./stopped.ts";
import type { CommandHome } from "./verb.ts";

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

/** Names of the settings that the user typed. */
export function typedNames(environment: CommandHome["environment"]): string[] {
  return (environment["LAB_OVERRIDES"] ?? "").split(/\s+/).filter((name) => name !== "");
}

/** --world, or a WORLD that was typed; else virtual time, which takes moments. */
export function worldOf({ world }: Options, environment: CommandHome["environment"]): ExperimentWorld {
  const typed = typedNames(environment).includes("WORLD") ? environment["WORLD"] : undefined;
  const wanted = world ?? typed ?? "virtual";
  const known = EXPERIMENT_WORLDS.find((one) => one === wanted);
  if (known !== undefined) return known;
  throw new ConfigError([`WORLD=${wanted}: experiments run in ${EXPERIMENT_WORLDS.join(" or ")}.`]);
}

export function contextOf({ root, environment }: CommandHome): ExperimentContext {
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

/** Sets the exit code; an experiment that the user stopped, or that could not make a run, has failed. */
export async function ending(work: Promise<number>): Promise<void> {
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
