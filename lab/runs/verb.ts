/**
 * One row of the registry of verbs (lab/cli/verbs.ts). From the rows come the commands of lab/cli/main.ts, the targets of
 * make, the usage text, README's table and docs/verbs.md: `npm run docs` writes them, and a test compares.
 *
 * An experiment exports its row from lab/experiments/<name>/command.ts and is named once in the registry:
 *
 *     export const verbHedge = experimentVerb({
 *       name: "hedge",
 *       summary: "second copies of slow reads: what they cut, cost and cannot help",
 *       page: "docs/hedging.md",
 *       options: [repeatOption("5")],
 *       run: async (context, options) => conclude(context, …),
 *     });
 */
import type { Command } from "commander";
import type { ExperimentContext } from "./context.ts";

/** The parts of README's table, in its order. Who only looks finds "inside" nowhere: bin/lab itself uses those. */
export const VERB_GROUPS = ["the story", "look at it", "find out more", "the lab itself", "inside"] as const;

/** What a command reads of its surroundings. */
export interface CommandHome {
  /** The project's folder. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where an experiment's result goes; stdout if nothing is said. */
  readonly print?: (text: string) => void;
}

export interface Verb {
  /** What is typed behind `make` or `bin/lab`: small letters and dashes. */
  readonly name: string;
  /** One line without a full stop at its end, for usage, README and --help: what a person gets. */
  readonly summary: string;
  readonly group: (typeof VERB_GROUPS)[number];
  /** The page with more of it, as a path from the project's folder. */
  readonly page?: string;
  /** What stands behind it in --help, for a verb that the shell does alone; settings where absent. */
  readonly words?: string;
  /** Whether `make NAME` is a target too. */
  readonly make: boolean;
  /**
   * "shell": bin/lab has a function for it, and decides itself what needs Docker or Node.
   * "world": the command runs where the chain does, in a container or as a process of this host.
   * "node": always with Node on this host, also where a Docker engine answers.
   */
  readonly runsIn: "shell" | "world" | "node";
  /** An experiment alone: what its command does once it is parsed. @returns the exit code */
  readonly perform?: (command: Command, context: ExperimentContext) => Promise<number>;
  /** Gives the command its arguments, options and action. Name and summary it has already. Absent: the shell does it all. */
  readonly add?: (command: Command, home: CommandHome) => void;
}
