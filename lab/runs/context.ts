/** What every experiment is handed by the command line. */
import { join } from "node:path";
import { ConfigError } from "../../services/settings/values.ts";
import { reportsProblem } from "../worlds/reports-folder.ts";
import type { Interrupt } from "./interrupt.ts";
import type { RunEnv } from "./pool.ts";
import type { ExperimentWorld, RunnerParts } from "./runner.ts";

export interface ExperimentContext {
  /** Effective settings with `overrides` over all else. @throws ConfigError with every fault */
  readonly settingsFor: (overrides: RunEnv) => Record<string, string>;
  readonly ambient: RunEnv;
  /** Names of the settings that the user typed. */
  readonly typed: readonly string[];
  readonly interrupt: Interrupt;
  /** Whether the result alone is wanted on stdout, as JSON. */
  readonly json: boolean;
  /** Whether its tables are wanted as Markdown. */
  readonly markdown: boolean;
  /** Cores to use. */
  readonly threads: number;
  /** For people, on stderr. */
  readonly say: (text: string) => void;
  /** The result, on stdout. */
  readonly print: (text: string) => void;
  /** UTC, fit for a file name. */
  readonly stamp: string;
}

/** What each part gives, or one ConfigError with the faults of all, each once. */
export function allOf<T extends readonly unknown[]>(parts: { readonly [I in keyof T]: () => T[I] }): T {
  const problems = new Set<string>();
  const all = parts.map((part) => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return undefined;
    }
  });
  if (problems.size > 0) throw new ConfigError([...problems]);
  return all as unknown as T;
}

/** Each with its effective settings. @throws ConfigError with the faults of all */
export const planned = <W extends { readonly settings: RunEnv }>(
  { settingsFor }: ExperimentContext,
  wanted: readonly W[],
): (W & { readonly env: RunEnv })[] =>
  allOf<(W & { readonly env: RunEnv })[]>(wanted.map((one) => () => ({ ...one, env: settingsFor(one.settings) })));

export function runnerParts(
  { ambient, interrupt, threads, say }: ExperimentContext,
  world: ExperimentWorld,
  folder: string,
): RunnerParts {
  return { ambient, ...interrupt, threads, say, world, folder };
}

/** A folder of this experiment within REPORTS_DIR, made where it is missing. @throws ConfigError when it can't be */
export function experimentFolder({ settingsFor }: ExperimentContext, name: string): string {
  const reports = settingsFor({})["REPORTS_DIR"] ?? "reports";
  const folder = join(reports, name);
  const problem = reportsProblem(folder);
  if (problem !== undefined) throw new ConfigError([problem]);
  return folder;
}
