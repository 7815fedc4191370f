/** What every experiment is handed by the command line. */
import { join } from "node:path";
import { ConfigError } from "../../services/settings/values.ts";
import { reportsProblem } from "../worlds/reports-folder.ts";
import type { Interrupt } from "./interrupt.ts";
import type { RunEnv } from "./pool.ts";
import type { ExperimentWorld, RunnerParts } from "./runner.ts";
import type { UserWords } from "../../services/settings/user-words.ts";

export interface ExperimentContext extends UserWords {
  readonly ambient: RunEnv;
  readonly interrupt: Interrupt;
  /** Whether the result alone is wanted on stdout, as JSON. */
  readonly json: boolean;
  /** Whether its tables are wanted as Markdown. */
  readonly markdown: boolean;
  /** Cores to use. */
  readonly threads: number;
  /** For people, on stderr. */
  readonly say: (text: string) => void;
  /** The same, but each text once. */
  readonly note: (text: string) => void;
  /** What to do instead of typing a setting that the experiment sets itself, by name, where there is more to say. */
  readonly instead: Readonly<Record<string, string>>;
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

export function runnerParts(
  { ambient, interrupt, threads, say }: ExperimentContext,
  world: ExperimentWorld,
  folder: string,
): RunnerParts {
  return { ambient, ...interrupt, threads, say, world, folder };
}

/** A folder of this experiment within REPORTS_DIR, made where it is missing. @throws ConfigError when it can't be */
export function experimentFolder({ valueOf }: ExperimentContext, name: string): string {
  const reports = valueOf("REPORTS_DIR");
  const folder = join(reports, name);
  const problem = reportsProblem(folder);
  if (problem !== undefined) throw new ConfigError([problem]);
  return folder;
}
