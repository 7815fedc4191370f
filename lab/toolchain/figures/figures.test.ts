/** The tables that pages have of commands, and the sentences that quote them. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { filesUnder, SOURCE_ROOT } from "../files.ts";
import { commandsOf, figureOf, figuresOf, renewed } from "./blocks.ts";
import { unfounded } from "./quoted.ts";
import { printedBy, wordsOf } from "./run-command.ts";

const PRINTED =
  "a word\n\n| median | naive | owner |\n|---|---|---|\n| succeeded | 16.0 % | 88.8 % |\n| p50 | 1.88 s | 10 ms |\n\nmore";
const page = (order: string, body = ""): string =>
  `# A page\n\n<!-- figures: ${order}-->\n${body}<!-- /figures -->\n\nend\n`;
const made = (order: string, printed: (command: string) => string = () => PRINTED): string =>
  /-->\n([^]*)\n\n\*/u.exec(renewed(page(order), printed).page)?.[1] ?? "";

test("A figure is the table that its command prints, and says by which command", () => {
  const { page: text, stale } = renewed(page("bin/lab compare "), () => PRINTED);
  assert.match(text, /^\| median \| naive \| owner \|\n\|---\|---\|---\|\n\| succeeded \| 16\.0 % \| 88\.8 % \|$/mu);
  assert.match(text, /from `bin\/lab compare`/u);
  assert.ok(text.endsWith("<!-- /figures -->\n\nend\n"));
  assert.equal(stale.length, 1);
});

test("A figure that is as its command makes it stays as it is, and one digit beside it is stale", () => {
  const { page: fresh } = renewed(page("bin/lab compare "), () => PRINTED);
  assert.deepEqual(
    renewed(fresh, () => PRINTED),
    { page: fresh, stale: [] },
  );
  const { page: mended, stale } = renewed(fresh.replace("16.0", "16.1"), () => PRINTED);
  assert.equal(mended, fresh);
  assert.deepEqual(
    stale.map(({ command }) => command),
    ["bin/lab compare"],
  );
});

test("Rows and columns are chosen by their heads, in the order in which they are named", () => {
  const text = made("bin/lab compare\nrows: p50; succeeded\ncolumns: owner\n");
  assert.equal(text, "| median | owner |\n|---|---|\n| p50 | 10 ms |\n| succeeded | 88.8 % |");
  assert.throws(() => made("bin/lab compare\nrows: p95\n"), /no "p95".*succeeded; p50/u);
  assert.throws(() => made("bin/lab compare\ntable: 2\n"), /prints 1 tables/u);
});

test("Several commands make a table with a row for each", () => {
  const order =
    "bin/lab compare naive\nhead: at the api\ncolumns: p50\nrow: nothing\nrow: 4: at once: API_ADMISSION=fixed\n";
  const seen: string[] = [];
  const text = made(order, (command) => {
    seen.push(command);
    return PRINTED;
  });
  assert.equal(text, "| at the api | p50 |\n|---|---|\n| nothing | 1.88 s |\n| 4: at once | 1.88 s |");
  assert.deepEqual(seen, ["bin/lab compare naive", "bin/lab compare naive API_ADMISSION=fixed"]);
});

test("A long command goes on in the next line of its comment, and in that of the page", () => {
  const order = `bin/lab compare naive --repeat 10 \\\n  ${"CAPACITY=120 ".repeat(12)}\ncolumns: owner\n`;
  const { page: text } = renewed(page(order), (command) => (command.endsWith("=120") ? PRINTED : ""));
  assert.ok(text.includes(`<!-- figures: ${order}-->`));
  assert.ok(text.split("\n").every((line) => line.length <= 160 && (!line.startsWith("*") || line.length <= 120)));
});

test("A line of the comment that is none of the known ones is refused by its text", () => {
  assert.throws(() => figureOf("bin/lab compare\nrow naive"), /"row naive": table, rows/u);
});

test("Each table of the pages names commands of the lab, and is there", () => {
  const pages = filesUnder(SOURCE_ROOT).filter((path) => path.endsWith(".md"));
  const figures = pages.flatMap((path) => figuresOf(readFileSync(join(SOURCE_ROOT, path), "utf8")));
  assert.ok(figures.length > 0);
  for (const command of figures.flatMap(commandsOf)) assert.equal(wordsOf(command)[0], "bin/lab", command);
  const marks = pages.flatMap(
    (path) => readFileSync(join(SOURCE_ROOT, path), "utf8").match(/^<!-- figures: /gmu) ?? [],
  );
  assert.equal(figures.length, marks.length, "a figure has no end");
});

test("A number of a sentence that stands in no table of the page is told with its line", () => {
  const fresh = renewed(page("bin/lab compare "), () => PRINTED).page;
  const said = (sentence: string): string[] => unfounded("docs/a.md", `${fresh}\n${sentence}\n`);
  assert.deepEqual(said("Naive answers 16.0 % of them after 1.88 s, owner 88.8\n% in 10 ms."), []);
  assert.deepEqual(said("Naive answers 40.2 %."), ["docs/a.md:14: 40.2%"]);
  assert.deepEqual(said("It has 1,200 requests, 16.0x."), ["docs/a.md:14: 1,200", "docs/a.md:14: 16.0x"]);
  assert.deepEqual(said("`RATE=60` for 20 s on 2026-11-30, 3 times."), []);
  assert.deepEqual(said("<!-- given: 40.2 % --> Naive answers 40.2 %."), []);
  assert.deepEqual(said("<!-- given -->\n0.9 · 60 = 54\n<!-- /given -->"), []);
});

test("No page with a command's table gives a number in a sentence that is not in a table or listed as given", () => {
  const pages = filesUnder(SOURCE_ROOT).filter((path) => path.endsWith(".md"));
  const found = pages.flatMap((path) => unfounded(path, readFileSync(join(SOURCE_ROOT, path), "utf8")));
  assert.deepEqual(found, [], "npm run docs:figures writes the tables; sentences are yours");
});

test("A page whose tables come from no command may say what it likes", () => {
  assert.deepEqual(unfounded("docs/a.md", "40.2 % of them"), []);
});

test("A command is run here, with its settings, and prints Markdown; a wrong one is named", async () => {
  const reports = mkdtempSync(join(tmpdir(), "figures-"));
  const before = process.exitCode;
  try {
    const place = { root: SOURCE_ROOT, reports };
    const printed = await printedBy("bin/lab compare naive --repeat 2 DURATION_S=1 RATE=10", place);
    assert.match(printed, /^\| median \(95 % interval\) \| naive \|$/mu);
    assert.match(printed, /^\| valid runs \| 2 of 2 \|$/mu);
    await assert.rejects(printedBy("make herd", place), /"make herd": a figure is made by bin\/lab/u);
    await assert.rejects(printedBy("bin/lab compare nosuch", place), /nosuch/u);
  } finally {
    process.exitCode = before;
    rmSync(reports, { recursive: true });
  }
});

test("Quotes keep the words of a setting together", () => {
  assert.deepEqual(wordsOf('bin/lab compare FAULT_TIMELINE="at 5s capacity 10" RATE=1'), [
    "bin/lab",
    "compare",
    "FAULT_TIMELINE=at 5s capacity 10",
    "RATE=1",
  ]);
});
