/** A disk without room, as Linux offers one: whoever writes to /dev/full is told that there is none. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { writeWhole } from "../../loadgen/output/report-folder.ts";
import { KnownError } from "../../services/settings/known-error.ts";
import { sweep } from "../experiments/sweep/experiment.ts";
import { conclude, type Conclusion } from "./conclude.ts";
import { keepFinished } from "./finished-cells.ts";
import { contextWith } from "./testdata/context.ts";

function folderIn(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), "full-"));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, "experiment");
  mkdirSync(folder);
  return folder;
}

/** Whoever writes the file of this name meets the end of the disk. */
const fullAt = (folder: string, name: string): void => symlinkSync("/dev/full", join(folder, name));
const draftOf = (name: string): string => `${name}.${process.pid}.tmp`;

const isFull = (error: unknown): boolean =>
  error instanceof KnownError &&
  error.exitCode === 1 &&
  /REPORTS_DIR=.* the disk is full\. Choose/u.test(error.message);

test("An experiment whose result finds no room is printed all the same, exits 1, and leaves no draft", async (t) => {
  for (const name of ["one.json", "one.csv", "report.html"]) {
    const folder = folderIn(t);
    fullAt(folder, draftOf(name));
    const [said, printed]: string[][] = [[], []];
    const context = {
      ...contextWith(),
      say: (text: string) => void said?.push(text),
      print: (text: string) => void printed?.push(text),
    };
    const conclusion: Conclusion = {
      folder,
      files: { "one.json": [1], "one.csv": "a\n" },
      page: { title: "one", lead: "", words: ["sweep"] },
      result: [1],
      text: () => "the table",
      isSound: true,
    };
    assert.equal(await conclude(context, conclusion), 1, name);
    assert.deepEqual(printed, ["the table"]);
    assert.match(said?.join() ?? "", /(the disk is full|ENOSPC).* The result is not saved\./su);
    assert.deepEqual(
      readdirSync(folder).filter((file) => file.endsWith(".tmp")),
      [],
    );
  }
});

test("A cell that finds no room ends the sweep with what is the matter", async (t) => {
  const folder = folderIn(t);
  fullAt(folder, "cells.jsonl");
  assert.throws(() => keepFinished(folder, { key: "a" }), isFull);
});

test("Kept cells that cannot be read end a sweep with what is the matter", async (t) => {
  const folder = folderIn(t);
  const context = contextWith({ REPORTS_DIR: folder, DURATION_S: "1" });
  const request = { policies: ["naive"], vary: ["RATE=20,40"], repeat: 1, world: "virtual" } as const;
  const first = await sweep(context, request);
  rmSync(join(first.folder, "cells.jsonl"));
  mkdirSync(join(first.folder, "cells.jsonl"));
  await assert.rejects(sweep(context, request), /cells\.jsonl cannot be read: it is a folder/u);
});

test("A file that is there stays as it is where the new one finds no room", (t) => {
  const folder = folderIn(t);
  writeFileSync(join(folder, "report.html"), "before");
  fullAt(folder, draftOf("report.html"));
  assert.throws(() => writeWhole(join(folder, "report.html"), "after"), /ENOSPC/u);
  assert.deepEqual(readdirSync(folder), ["report.html"]);
});
