import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { readSummaries, ReportError } from "./read-summaries.ts";

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

test("A run from before there were grades has the one that its verdict says", (t) => {
  const gradeOf = (valid: boolean): unknown[] => {
    const {
      validity: _validity,
      noisyReasons: _noise,
      ...old
    } = JSON.parse(readFileSync(join(saved, "naive", "summary.json"), "utf8")) as Record<string, unknown>;
    const [run] = readSummaries([folderWith(t, JSON.stringify({ ...old, valid }))]);
    return [run?.summary.validity, run?.summary.noisyReasons];
  };
  assert.deepEqual(
    [gradeOf(true), gradeOf(false)],
    [
      ["valid", []],
      ["invalid", []],
    ],
  );
});

test("What is no folder, holds no report, or is no summary is named with what to do", (t) => {
  const empty = mkdtempSync(join(tmpdir(), "summaries-"));
  t.after(() => rmSync(empty, { recursive: true }));
  assert.throws(() => readSummaries([join(empty, "none")]), /none is not a folder/);
  assert.throws(() => readSummaries([empty]), /holds no report/);
  assert.throws(() => readSummaries([folderWith(t, "{")]), /summary\.json cannot be read as JSON/);
  assert.throws(
    () => readSummaries([folderWith(t, "null")]),
    /not the summary of a run: it must be an object, not null/,
  );
  assert.throws(() => readSummaries([join(folderWith(t, "{}"), "summary.json")]), /summary.json is not a folder/);
});

type Fields = Record<string, unknown>;

/** A saved summary with some fields changed. */
const changed = (change: Fields): string => {
  const summary = JSON.parse(readFileSync(join(saved, "naive", "summary.json"), "utf8")) as Fields;
  return JSON.stringify({ ...summary, ...change });
};

test("Of a summary that is none, the file, the fields, their values and what to do are told", (t) => {
  const cases: [text: string, fault: RegExp][] = [
    [
      changed({ schema: 3 }),
      /summary\.json is not the summary of a run: schema must be one that this version reads, not 3\. .*make it again/,
    ],
    ['{"schema":2}', /policy is missing; world is missing; .*; and \d+ more\. /],
    [changed({ successRate: "99" }), /successRate must be a number, not "99"/],
    [changed({ amplification: -1 }), /amplification must be 0 or more, not -1/],
    [changed({ tiers: { edge: { arrivals: null } } }), /tiers\.edge\.arrivals must be a number, not null/],
    [changed({ latencyMs: [] }), /latencyMs must be an object, not \[\]/],
    [changed({ outcomes: { ok: "all" } }), /outcomes\.ok must be a number, not "all"/],
    [changed({ durationSeconds: "x".repeat(1_000_000) }), /durationSeconds must be a number, not "x{59}\./],
  ];
  for (const [text, fault] of cases) {
    assert.throws(
      () => readSummaries([folderWith(t, text)]),
      (error: unknown) => error instanceof ReportError && error.exitCode === 2 && fault.test(error.message),
      String(fault),
    );
  }
});

test("A summary may have fields that this version does not know", (t) => {
  assert.equal(readSummaries([folderWith(t, changed({ later: { a: 1 } }))])[0]?.summary.policy, "naive");
});

test("What would steer a terminal comes out of a summary written out", (t) => {
  const summary = changed({ policy: "na\u001b[2Jive", invalidReasons: ["\u009b1m"] });
  const [run] = readSummaries([folderWith(t, summary)]);
  assert.deepEqual([run?.summary.policy, run?.summary.invalidReasons], ["na\\x1b[2Jive", ["\\x9b1m"]]);
});

test("What lies beside reports in a folder of them is passed over", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "summaries-"));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(saved, "naive"), join(folder, "a"), { recursive: true });
  mkdirSync(join(folder, "b"));
  writeFileSync(join(folder, "report.html"), "");
  assert.equal(readSummaries([folder]).length, 1);
});
