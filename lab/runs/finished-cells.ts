/**
 * Cells of a sweep, or runs of the twin, that are done, kept as JSON lines, so that a sweep that was stopped goes on where it was.
 *
 * A cell is known by all its settings: when any of them changes, a default among them, it is another cell.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { writing } from "../../loadgen/output/report-folder.ts";
import { storedText } from "../report/data/stored.ts";
import type { RunEnv } from "./pool.ts";

/** What is kept of a run, by its key; what else it holds is the experiment's own. */
export interface Finished {
  readonly key: string;
}

const FILE = "cells.jsonl";

/** Settings that change nothing about a result. */
const OF_NO_MATTER = new Set(["REPORTS_DIR", "LOG_LEVEL", "HOST", "PORT"]);

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export function cellKey(env: RunEnv): string {
  const settings = Object.entries(env).filter(([name]) => !OF_NO_MATTER.has(name));
  return digest(JSON.stringify(settings.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** A name for the experiment that consists of these cells. */
export function sweepName(keys: readonly string[], kind = "sweep"): string {
  return `${kind}-${digest(keys.toSorted().join())}`;
}

/**
 * None where the line is of another form, an older one maybe, or was being written when the power went: the cell is
 * computed once more.
 */
function cellsIn<T>(line: string, form: z.ZodType<T>): T[] {
  try {
    const result = form.safeParse(JSON.parse(line));
    return result.success ? [result.data] : [];
  } catch {
    return [];
  }
}

/** Cells by their key. @throws ReportError where the file cannot be read */
export function readFinished<T extends Finished>(folder: string, form: z.ZodType<T>): Map<string, T> {
  const path = join(folder, FILE);
  if (!existsSync(path)) return new Map();
  const cells = storedText(path, Infinity)
    .split("\n")
    .flatMap((line) => cellsIn(line, form));
  return new Map(cells.map((cell) => [cell.key, cell]));
}

/**
 * A line break comes first, so that a torn line before it does not swallow this one.
 * @throws ReportFolderError where the disk does not take it
 */
export function keepFinished<T extends Finished>(folder: string, cell: T): void {
  writing(dirname(folder), () => appendFileSync(join(folder, FILE), `\n${JSON.stringify(cell)}`));
}

/** The next start begins anew. */
export function forgetFinished(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}
