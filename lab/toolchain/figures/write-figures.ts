/**
 * The tables of all pages that come from virtual time, made anew: what `npm run docs:figures` runs, compiled. Words choose
 * pages; with --check it writes nothing, and says which tables differ: exit 1.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixed } from "../../../loadgen/core/format.ts";
import { messageOf } from "../../../services/settings/known-error.ts";
import { filesUnder, SOURCE_ROOT } from "../files.ts";
import { commandsOf, figuresOf, renewed } from "./blocks.ts";
import { unfounded } from "./quoted.ts";
import { printedBy } from "./run-command.ts";

// Each command listens for Ctrl-C anew.
process.setMaxListeners(Infinity);

const words = process.argv.slice(2);
const isCheck = words.includes("--check");
const chosen = words.filter((word) => word !== "--check");

const pages = filesUnder(SOURCE_ROOT)
  .filter((path) => path.endsWith(".md") && (chosen.length === 0 || chosen.some((word) => path.includes(word))))
  .map((path) => ({ path, text: readFileSync(join(SOURCE_ROOT, path), "utf8") }))
  .filter(({ text }) => figuresOf(text).length > 0);

const reports = mkdtempSync(join(tmpdir(), "figures-"));
const printed = new Map<string, string>();

/** Each command once, however many figures are made of it. */
async function printCommands(commands: readonly string[]): Promise<void> {
  for (const command of new Set(commands)) {
    if (printed.has(command)) continue;
    const [from, before] = [performance.now(), process.cpuUsage()];
    printed.set(command, await printedBy(command, { root: SOURCE_ROOT, reports }));
    const { user, system } = process.cpuUsage(before);
    const [wallS, cpuS] = [(performance.now() - from) / 1000, (user + system) / 1e6];
    console.log(`${fixed(wallS, 1)} s (${fixed(cpuS, 1)} s of CPU)  ${command}`);
  }
}

/** Makes one page anew. @returns what is wrong with it */
async function problemsOf({ path, text }: (typeof pages)[number]): Promise<string[]> {
  try {
    await printCommands(figuresOf(text).flatMap(commandsOf));
    const { page, stale } = renewed(text, (command) => printed.get(command) ?? "");
    if (!isCheck && page !== text) writeFileSync(join(SOURCE_ROOT, path), page);
    const told = stale.map(({ command }) => `${path}: another table now: ${command}`);
    const sentences = unfounded(path, page).map((one) => `${one} stands in no table of the page`);
    if (!isCheck) console.log(told.join("\n"));
    return [...(isCheck ? told : []), ...sentences];
  } catch (error) {
    return [`${path}: ${messageOf(error)}`];
  }
}

try {
  const problems: string[] = [];
  for (const page of pages) problems.push(...(await problemsOf(page)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error("`npm run docs:figures` writes tables anew; sentences are yours.");
    process.exitCode = 1;
  }
} finally {
  rmSync(reports, { recursive: true });
}
