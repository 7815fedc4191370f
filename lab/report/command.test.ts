import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { reportCommand, type ReportForm } from "./command.ts";

const fixtures = fileURLToPath(new URL("testdata", import.meta.url));
const reportsDir = mkdtempSync(join(tmpdir(), "report-command-"));
after(() => rmSync(reportsDir, { recursive: true }));

/** A run that ended `atS` seconds after 2026 began. */
function runAt(atS: number, policy: string, ...path: string[]): string {
  const dir = join(reportsDir, ...path);
  cpSync(join(fixtures, policy), dir, { recursive: true });
  const time = Date.UTC(2026, 0) / 1000 + atS;
  utimesSync(join(dir, "summary.json"), time, time);
  return dir;
}

async function report(folder?: string, form: ReportForm = "path"): Promise<string[]> {
  const lines: string[] = [];
  await reportCommand({ folder, reportsDir, form, print: (line) => lines.push(line) });
  return lines;
}

test("Without any run the message says how to make one", async () => {
  await assert.rejects(report(), /no run in .* yet.*make break/u);
  mkdirSync(join(reportsDir, "empty"));
  await assert.rejects(report(), /no run in/u);
});

test("The run that ended last is the latest, whatever the folders are called", async () => {
  const last = runAt(20, "naive", "a");
  runAt(10, "budgeted", "z");
  assert.deepEqual(await report(), [join(last, "report.html")]);
  assert.ok(existsSync(join(last, "report.html")));
});

test("Runs that were made together have one page, in their folder", async () => {
  runAt(30, "naive", "demo", "1-naive");
  runAt(40, "budgeted", "demo", "2-budgeted");
  assert.deepEqual(await report(), [join(reportsDir, "demo", "report.html")]);
});

test("A named folder is taken, and JSON carries its page's path and address", async () => {
  const dir = runAt(0, "budgeted", "named");
  const [line = ""] = await report(dir, "json");
  const file = join(dir, "report.html");
  assert.deepEqual(JSON.parse(line), { report: file, url: `file://${file}` });
});

test("The page itself goes to stdout where it is asked for, and nothing is written", async () => {
  const dir = runAt(0, "budgeted", "read-only");
  const [page = ""] = await report(dir, "html");
  assert.match(page, /^<!doctype html>.*budgeted: one request became/su);
  assert.equal(existsSync(join(dir, "report.html")), false);
});

test("A folder that is not there is named", async () => {
  await assert.rejects(report(join(reportsDir, "nowhere")), /nowhere is not a folder/u);
});

test("Another program's file or folder is told, whatever lies where a run's should", async () => {
  const dir = runAt(0, "naive", "broken");
  const inDir = (name: string): string => join(dir, name);
  await assert.rejects(report(inDir("records.ndjson")), /records\.ndjson is not a folder/u);
  writeFileSync(inDir("series.ndjson"), "{}\n{}\n");
  await assert.rejects(report(dir), /series\.ndjson, line 1, is not what a run writes: tS is missing; .*backend is/u);
  writeFileSync(inDir("series.ndjson"), "");
  writeFileSync(inDir("records.ndjson"), '{"n":"1"}\n');
  await assert.rejects(report(dir), /records\.ndjson, line 1, .*n must be a number, not "1"; id is missing/u);
  for (const name of ["records.ndjson", "series.ndjson", "effective.env", "summary.json"]) {
    cpSync(join(fixtures, "naive"), dir, { recursive: true });
    rmSync(inDir(name));
    mkdirSync(inDir(name));
    await assert.rejects(report(dir), new RegExp(`${name} cannot be read.*: it is a folder, not a file`, "u"));
    rmSync(inDir(name), { recursive: true });
  }
});
