import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cellKey, finishedCell, keepFinished, readFinished, sweepName } from "./finished-cells.ts";
import { summaryWith } from "./testdata/summary.ts";

const folder = mkdtempSync(join(tmpdir(), "cells-"));
after(() => rmSync(folder, { recursive: true }));

const SUMMARY = summaryWith({ policy: "naive", seed: 1, successRate: 0.2, amplification: 7 });

test("A cell is known by its settings, in whatever order they stand and wherever its report goes", () => {
  assert.equal(cellKey({ A: "1", B: "2" }), cellKey({ B: "2", A: "1", REPORTS_DIR: "elsewhere" }));
  assert.notEqual(cellKey({ A: "1", B: "2" }), cellKey({ A: "1", B: "3" }));
});

test("The same cells make the same sweep, in any order", () => {
  assert.equal(sweepName(["a", "b"]), sweepName(["b", "a"]));
});

test("A line that was torn by a crash costs its own cell and no other", () => {
  const [before, behind] = [finishedCell({ A: "1" }, SUMMARY), finishedCell({ A: "2" }, SUMMARY)];
  keepFinished(folder, before);
  appendFileSync(join(folder, "cells.jsonl"), '\n{"key":"torn","val');
  keepFinished(folder, behind);
  const finished = readFinished(folder);
  assert.deepEqual([...finished.values()], [before, behind]);
});
