import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { conclude, type Conclusion } from "./conclude.ts";
import { contextWith } from "./testdata/context.ts";

const folder = mkdtempSync(join(tmpdir(), "conclude-"));
after(() => rmSync(folder, { recursive: true }));

async function concluded(json: boolean, changes: Partial<Conclusion> = {}, markdown = false) {
  const printed: string[] = [];
  const context = { ...contextWith(), json, markdown, print: (text: string) => printed.push(text) };
  const files = { "one.json": { schema: 1, found: [1, 2] }, "one.csv": "a,b\n" };
  const own = { folder, files, result: [1, 2], text: () => "the table", isSound: true };
  const code = await conclude(context, { ...own, ...changes });
  return { code, printed: printed.join("\n") };
}

test("People get the text and where it was saved, programs the result alone", async () => {
  const { code, printed } = await concluded(false, { note: "(3 were there)" });
  assert.equal(code, 0);
  assert.equal(printed, `the table\nSaved: ${join(folder, "one.json")}, with one.csv beside it (3 were there)`);
  assert.deepEqual(JSON.parse((await concluded(true)).printed), [1, 2]);
});

test("Text is saved as it is, and all else as JSON", async () => {
  await concluded(false);
  assert.equal(readFileSync(join(folder, "one.csv"), "utf8"), "a,b\n");
  assert.deepEqual(JSON.parse(readFileSync(join(folder, "one.json"), "utf8")), { schema: 1, found: [1, 2] });
});

const COUNTED = [
  { policy: "naive", runs: 2, validRuns: 2 },
  { policy: "owner", runs: 2, validRuns: 1 },
];

test("An experiment that is not sound is exit code 1; one with an invalid run says so in its first line", async () => {
  assert.equal((await concluded(false, { isSound: false })).code, 1);
  assert.deepEqual(await concluded(false, { counted: COUNTED.slice(0, 1) }), await concluded(false));
  for (const markdown of [false, true]) {
    const { code, printed } = await concluded(false, { counted: COUNTED }, markdown);
    assert.equal(code, 1);
    assert.match(printed, /^INVALID: 1 of 4 runs is INVALID \(owner\)\. Do not quote [^]*\nthe table\n/);
  }
});

test("The page of an experiment with an invalid run says so before anything else", async () => {
  const page = { title: "Maps", lead: "What was done.", words: ["map"], maps: [] };
  await concluded(false, { counted: COUNTED, page });
  const text = readFileSync(join(folder, "report.html"), "utf8");
  assert.match(text, /<p class="lead">INVALID: 1 of 4 runs is INVALID \(owner\)\.[^<]* What was done\.<\/p>/);
});
