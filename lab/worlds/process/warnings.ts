/** What services warn of, for the person at the terminal: each warning once, and not many of them. */
import { forTerminal } from "../../../services/settings/known-error.ts";

const MOST_WARNINGS = 10;
const LONGEST = 300;
/** As pino numbers it. */
const WARN = 40;

/** The warning in one line of a service's log; undefined where there is none. */
function warningIn(line: string): string | undefined {
  try {
    const { level, service, msg, reason, said } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (!(Number(level) >= WARN)) return undefined;
    const why = [reason, said].filter((one) => typeof one === "string").map((one) => ` (${one})`);
    return forTerminal(`${String(service)}: ${String(msg)}${why.join("")}`.slice(0, LONGEST));
  } catch {
    return undefined; // Not a line of the log, or a piece of one.
  }
}

/** Takes what services print, and says each of their warnings once. */
export function sayingWarnings(say: (text: string) => void): (chunk: string) => void {
  const told = new Set<string>();
  return (chunk) => {
    for (const line of chunk.split("\n")) {
      const text = warningIn(line);
      if (text === undefined || told.has(text) || told.size >= MOST_WARNINGS) continue;
      told.add(text);
      say(text);
    }
  };
}
