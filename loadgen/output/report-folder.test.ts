import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createReportFolder, environmentText, ReportFolderError } from "./report-folder.ts";
import type { ClientRecord } from "../core/record.ts";

const AT = new Date("2026-11-30T07:15:28.123Z");

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "loadgen-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const RECORD: ClientRecord = {
  n: 0,
  id: "s1-0",
  method: "GET",
  intendedMs: 0,
  lateMs: 0,
  latencyMs: 9,
  outcome: "ok",
  status: 200,
  traceId: "0".repeat(32),
};

test("A report's folder is named by UTC time and policy, and two that start together get one each", async (t) => {
  const reports = join(temporary(t), "made", "deep");
  const [one, two] = [createReportFolder(reports, "naive", AT), createReportFolder(reports, "naive", AT)];
  assert.deepEqual(
    [basename(one.path), basename(two.path)],
    ["2026-11-30T07-15-28Z-naive", "2026-11-30T07-15-28Z-naive-2"],
  );
  await Promise.all([one.close(), two.close()]);
});

test("A policy of the catalogue makes one folder, not a folder in a folder", async (t) => {
  const folder = createReportFolder(temporary(t), "production/undici", AT);
  assert.equal(basename(folder.path), "2026-11-30T07-15-28Z-production-undici");
  await folder.close();
});

test("Records are lines of JSON, and files are written whole, without a draft left behind", async (t) => {
  const folder = createReportFolder(temporary(t), "naive", AT);
  for (const n of [0, 1]) folder.addRecord({ ...RECORD, n });
  await folder.close();
  folder.write("summary.txt", "all of it\n");
  const lines = readFileSync(join(folder.path, "records.ndjson"), "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as ClientRecord).n),
    [0, 1],
  );
  assert.equal(readFileSync(join(folder.path, "summary.txt"), "utf8"), "all of it\n");
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["records.ndjson", "series.ndjson", "summary.txt"]);
});

test("A folder that cannot be made is named with its variable", (t) => {
  const file = join(temporary(t), "file");
  writeFileSync(file, "");
  assert.throws(
    () => createReportFolder(join(file, "reports"), "naive", AT),
    (error) =>
      error instanceof ReportFolderError && /^REPORTS_DIR=.*file\/reports cannot be written to/.test(error.message),
  );
});

test("A folder that can be seen but holds none is a fault, not an endless attempt", () => {
  assert.throws(() => createReportFolder("/proc/retry-storm/reports", "naive", AT), ReportFolderError);
});

test("What is in the way of the folder is said in words", (t) => {
  const file = join(temporary(t), "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "deep", "er")])
    assert.throws(
      () => createReportFolder(path, "naive", AT),
      /cannot be written to: it, or a folder above it, is a file\./,
    );
});

test("A file that cannot be written leaves no draft behind", async (t) => {
  const folder = createReportFolder(temporary(t), "naive", AT);
  await folder.close();
  mkdirSync(join(folder.path, "summary.json", "in the way"), { recursive: true });
  assert.throws(() => folder.write("summary.json", "{}"), ReportFolderError);
  assert.deepEqual(
    readdirSync(folder.path).filter((file) => file.endsWith(".tmp")),
    [],
  );
});

test("A run that never began leaves no folder", async (t) => {
  const reports = temporary(t);
  const folder = createReportFolder(reports, "naive", AT);
  await folder.discard();
  assert.equal(existsSync(folder.path), false);
  assert.deepEqual(readdirSync(reports), []);
});

test("The environment is written so that a shell, dotenv and Compose read the same", () => {
  assert.equal(
    environmentText({ RATE: "60", FAULT_TIMELINE: "at 5s capacity 90; at 9s error 0", REPORTS_DIR: "/it's" }),
    `RATE=60\nFAULT_TIMELINE='at 5s capacity 90; at 9s error 0'\nREPORTS_DIR="/it's"\n`,
  );
});
