/** A file of settings, one NAME=value a line, as dotenv reads it: quotes, comments and `export` included. */
import { parse } from "dotenv";

export interface DotenvFile {
  readonly settings: Readonly<Record<string, string>>;
  /** The line on which each name is set, 1 or more. */
  readonly lines: ReadonlyMap<string, number>;
  /** One sentence for each line that cannot be read, with its number. */
  readonly problems: readonly { readonly line: number; readonly text: string }[];
}

const SETTING = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/;
const EMPTY = /^\s*(#.*)?$/;

/**
 * Lines are read one by one: dotenv passes over what it cannot read, and a stray quote would swallow the lines after
 * it.
 */
export function parseDotenv(text: string): DotenvFile {
  const settings = new Map<string, string>();
  const lines = new Map<string, number>();
  const problems: { line: number; text: string }[] = [];
  text.split(/\r\n|\r|\n/).forEach((content, i) => {
    const line = i + 1;
    const name = SETTING.exec(content)?.[1];
    if (EMPTY.test(content)) return;
    if (name === undefined) {
      const shown = content.trim().slice(0, 80);
      problems.push({ line, text: `${JSON.stringify(shown)} must read NAME=value, or begin with "#".` });
      return;
    }
    const earlier = lines.get(name);
    if (earlier !== undefined) {
      problems.push({ line, text: `${name} is set in line ${earlier} already. Keep one of the two.` });
      return;
    }
    lines.set(name, line);
    settings.set(name, new Map(Object.entries(parse(content))).get(name) ?? "");
  });
  return { settings: Object.fromEntries(settings), lines, problems };
}
