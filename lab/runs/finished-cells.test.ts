import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { z } from "zod";
import { cellKey, keepFinished, readFinished, sweepName } from "./finished-cells.ts";

const folder = mkdtempSync(join(tmpdir(), "cells-"));
after(() => rmSync(folder, { recursive: true }));

test("A cell is known by its settings, in whatever order they stand and wherever its report goes", () => {
  assert.equal(cellKey({ A: "1", B: "2" }), cellKey({ B: "2", A: "1", REPORTS_DIR: "elsewhere" }));
  assert.notEqual(cellKey({ A: "1", B: "2" }), cellKey({ A: "1", B: "3" }));
});

test("The same cells make the same sweep, in any order", () => {
  assert.equal(sweepName(["a", "b"]), sweepName(["b", "a"]));
});

test("A line that was torn by a crash, or is of another form, costs its own cell and no other", () => {
  const before = { key: cellKey({ A: "1" }), value: 1 };
  const behind = { key: cellKey({ A: "2" }), value: 2 };
  keepFinished(folder, before);
  appendFileSync(join(folder, "cells.jsonl"), '\nnull\n7\n{"key":"other","value":"1"}\n{"key":"torn","val');
  keepFinished(folder, behind);
  const finished = readFinished(folder, z.object({ key: z.string(), value: z.number() }));
  assert.deepEqual([...finished.values()], [before, behind]);
});
