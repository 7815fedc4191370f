/** What every experiment is handed by the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../loadgen/output/report-folder.ts";
import { ConfigError } from "../../services/settings/values.ts";
import type { Interrupt } from "./interrupt.ts";
import type { RunEnv } from "./pool.ts";
import type { ExperimentWorld, RunnerParts } from "./runner.ts";

export interface ExperimentContext {
  /** Effective settings with `overrides` over all else. @throws ConfigError with every fault */
  readonly settingsFor: (overrides: RunEnv) => Record<string, string>;
  readonly ambient: RunEnv;
  /** Names of the settings that the user typed. */
  readonly typed?: readonly string[];
  readonly interrupt: Interrupt;
  /** Cores to use. */
  readonly threads: number;
  /** For people, on stderr. */
  readonly say: (text: string) => void;
  /** The result, on stdout. */
  readonly print: (text: string) => void;
  /** UTC, fit for a file name. */
  readonly stamp: string;
}

/** Effective settings of several runs, or one ConfigError with the faults of all, each once. */
export function settingsForEach(
  { settingsFor }: ExperimentContext,
  overrides: readonly RunEnv[],
): Record<string, string>[] {
  const problems = new Set<string>();
  const all = overrides.flatMap((own) => {
    try {
      return [settingsFor(own)];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [];
    }
  });
  if (problems.size > 0) throw new ConfigError([...problems]);
  return all;
}

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
  try {
    ensureFolder(folder);
  } catch (error) {
    throw new ConfigError([
      `REPORTS_DIR=${reports} cannot be written to: ${(error as Error).message}. Choose a folder that is yours.`,
    ]);
  }
  return folder;
}

/** Writes `value` as JSON and returns the file's path. */
export function saveJson(folder: string, file: string, value: unknown): string {
  const path = join(folder, file);
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
  return path;
}
