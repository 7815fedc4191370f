/**
 * `npm run docs:figures`: makes the tables of all pages anew that come from virtual time. With --check it writes nothing, and
 * says which differ: exit 1. Words behind it choose pages: `npm run docs:figures -- --check herd`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixed } from "../../../loadgen/core/format.ts";
import { filesUnder, SOURCE_ROOT } from "../files.ts";
import { commandsOf, figuresOf, renewed } from "./blocks.ts";
import { unfounded } from "./quoted.ts";
import { printedBy } from "./run-command.ts";

const words = process.argv.slice(2);
const isCheck = words.includes("--check");
const chosen = words.filter((word) => word !== "--check");

const pages = filesUnder(SOURCE_ROOT)
  .filter((path) => path.endsWith(".md") && (chosen.length === 0 || chosen.some((word) => path.includes(word))))
  .map((path) => ({ path, text: readFileSync(join(SOURCE_ROOT, path), "utf8") }))
  .filter(({ text }) => figuresOf(text).length > 0);

/** Each command once, however many figures are made of it. */
async function printedByAll(commands: readonly string[], reports: string): Promise<Map<string, string>> {
  const printed = new Map<string, string>();
  for (const command of new Set(commands)) {
    const from = performance.now();
    printed.set(command, await printedBy(command, { root: SOURCE_ROOT, reports }));
    console.log(`${fixed((performance.now() - from) / 1000, 1)} s  ${command}`);
  }
  return printed;
}

const reports = mkdtempSync(join(tmpdir(), "figures-"));
try {
  const commands = pages.flatMap(({ text }) => figuresOf(text).flatMap(commandsOf));
  const printed = await printedByAll(commands, reports);
  const problems: string[] = [];
  for (const { path, text } of pages) {
    const { page, stale } = renewed(text, (command) => printed.get(command) ?? "");
    if (!isCheck && page !== text) writeFileSync(join(SOURCE_ROOT, path), page);
    for (const { command } of stale)
      (isCheck ? problems : { push: console.log }).push(`${path}: ${isCheck ? "stale" : "new"}: ${command}`);
    problems.push(...unfounded(path, page).map((one) => `${one} stands in no table of the page`));
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(
      isCheck ? "`npm run docs:figures` writes the tables anew; sentences are yours." : "Mend these sentences.",
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(reports, { recursive: true });
}
