/**
 * `npm run bench [-- NAME…]`: measures what is in bench/rows and prints it beside the goals. Without names, all of it.
 * Reported, never asserted. It runs compiled: what tsx adds to a function to keep its name costs more than the policy.
 * Started from the root of the checkout. Exit 0: measured; 1: a measurement failed; 2: no such name.
 */
import { readdirSync } from "node:fs";
import pc from "picocolors";
import type { Bench, Row } from "./row.ts";
import { textTable } from "../lab/runs/text.ts";
import { narrowText } from "../loadgen/output/narrow-text.ts";
import { messageOf } from "../services/settings/known-error.ts";

const ROWS = new URL("./rows/", import.meta.url);

function namesAsked(asked: readonly string[]): string[] {
  const names = readdirSync(ROWS)
    .filter((file) => /^[\w-]+\.[tj]s$/.test(file))
    .map((file) => file.replace(/\.[tj]s$/, ""));
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no benchmark "${unknown.join('", "')}". There are: ${names.join(", ")}.`);
    process.exit(2);
  }
  return asked.length > 0 ? [...asked] : names;
}

function verdict({ met }: Row): string {
  if (met === null) return "not judged";
  return met ? pc.green("met") : pc.yellow("missed");
}

function print(bench: Bench, rows: readonly Row[]): void {
  const table = textTable(
    ["", "ours", "peer", "ratio", "goal"],
    rows.map((row) => [row.what, row.ours, row.peer ?? "", row.ratio ?? "", verdict(row)]),
  );
  console.log(`\n${pc.bold(bench.title)}  goal: ${bench.goal}\n${table}`);
  for (const { note } of rows) if (note !== undefined) console.log(narrowText(note));
}

const extension = import.meta.url.slice(-3);
for (const name of namesAsked(process.argv.slice(2))) {
  try {
    const { default: bench } = (await import(new URL(`${name}${extension}`, ROWS).href)) as {
      default: Bench;
    };
    print(bench, await bench.run());
  } catch (error) {
    process.exitCode = 1;
    console.error(`\nThe benchmark "${name}" failed: ${messageOf(error)}`);
  }
}
