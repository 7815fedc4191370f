import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { readSummaries } from "./read-summaries.ts";

const saved = fileURLToPath(new URL("../testdata", import.meta.url));

function folderWith(t: TestContext, summary: string): string {
  const folder = mkdtempSync(join(tmpdir(), "summaries-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "summary.json"), summary);
  return folder;
}

test("A report folder is one run, a folder of them is all of them by name", () => {
  const one = readSummaries([join(saved, "naive")]);
  assert.deepEqual(
    one.map(({ summary }) => summary.policy),
    ["naive"],
  );
  const all = readSummaries([saved]);
  assert.deepEqual(
    all.map(({ summary }) => summary.policy),
    ["budgeted", "naive"],
  );
});

test("What is no folder, holds no report, or is no summary is named with what to do", (t) => {
  const empty = mkdtempSync(join(tmpdir(), "summaries-"));
  t.after(() => rmSync(empty, { recursive: true }));
  assert.throws(() => readSummaries([join(empty, "none")]), /none is not a folder/);
  assert.throws(() => readSummaries([empty]), /holds no report/);
  assert.throws(() => readSummaries([folderWith(t, "{")]), /summary\.json cannot be read as JSON/);
  assert.throws(() => readSummaries([folderWith(t, '{"schema":2}')]), /schema 2; this lab reads schema 1/);
  assert.throws(() => readSummaries([folderWith(t, "null")]), /schema undefined; this lab reads schema 1/);
});

test("What lies beside reports in a folder of them is passed over", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "summaries-"));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(saved, "naive"), join(folder, "a"), { recursive: true });
  mkdirSync(join(folder, "b"));
  writeFileSync(join(folder, "report.html"), "");
  assert.equal(readSummaries([folder]).length, 1);
});
