/** The last lines that a program printed: what a person needs to see when it dies. Bounded, whatever it prints. */

const LINES = 20;
const LINE_CHARS = 500;

export interface Tail {
  push(chunk: string): void;
  /** At most 20 lines of at most 500 characters, oldest first. */
  lines(): readonly string[];
}

export function createTail(): Tail {
  const kept: string[] = [];
  let open = "";
  const keep = (line: string): void => {
    kept.push(line.slice(0, LINE_CHARS));
    if (kept.length > LINES) kept.shift();
  };
  return {
    push: (chunk) => {
      const parts = chunk.split("\n");
      parts[0] = open + parts[0];
      open = (parts.pop() ?? "").slice(0, LINE_CHARS);
      for (const line of parts) keep(line);
    },
    lines: () => (open === "" ? [...kept] : [...kept, open].slice(-LINES)),
  };
}
