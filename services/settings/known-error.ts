/** An error that a person can mend: its message says what is wrong and what to do, and stands without a stack. */
export class KnownError extends Error {
  /** The exit code of a program that ends with it. 1: it came to nothing; 2: its input is wrong. */
  readonly exitCode: 1 | 2 = 1;
}

/** The input is wrong. `problems` has one sentence for each fault. */
export class ConfigError extends KnownError {
  override readonly exitCode = 2;
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** More faults than anybody reads at once. */
const MOST_PROBLEMS = 50;

/** A text that may come from a file or a stranger, for a terminal: what would steer it is written out. */
export function forTerminal(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\x${code.padStart(2, "0")}`;
  });
}

/**
 * Tells on stderr what a program ends with. Anything unforeseen is thrown on, with its stack.
 * @param who the program's name
 * @param undone what has not happened where its input is wrong: "nothing was started"
 * @returns the exit code
 */
export function explainError(error: unknown, who: string, undone: string): number {
  if (!(error instanceof KnownError)) throw error;
  if (error instanceof ConfigError) {
    console.error(`${who}: the settings are wrong, ${undone}:`);
    for (const problem of error.problems.slice(0, MOST_PROBLEMS)) console.error(`  ${forTerminal(problem)}`);
    const more = error.problems.length - MOST_PROBLEMS;
    if (more > 0) console.error(`  … and ${more} more`);
  } else {
    console.error(forTerminal(`${who}: ${error.message}`));
  }
  return error.exitCode;
}

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why another program could not be reached, in short. An address with two numbers fails with an error without message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : messageOf(error);
}
