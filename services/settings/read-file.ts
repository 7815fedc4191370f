/** Files that a person or a run has left, read whole. */
import { readFileSync, statSync, type Stats } from "node:fs";

/** A hundred times what any file of settings needs. */
const MOST_BYTES = 4 * 2 ** 20;

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFIFO() ? "a pipe" : "a device or a socket";
}

/**
 * What is wrong with reading `path`, which is there; undefined: nothing. A pipe or a device would be waited for, or
 * read, without end.
 */
export function unreadable(path: string, mostBytes = Infinity): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile()) return `it is ${kindOf(stats)}, not a file`;
  return stats.size > mostBytes ? `it is larger than ${mostBytes} bytes` : undefined;
}

/** The text of a file. @throws Error whose message completes "… cannot be read:" */
export function readTextFile(path: string, mostBytes = MOST_BYTES): string {
  const problem = unreadable(path, mostBytes);
  if (problem !== undefined) throw new Error(problem);
  return readFileSync(path, "utf8");
}
