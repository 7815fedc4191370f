/** Ctrl-C on a sweep, as a user presses it. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { nodeArguments } from "../../../services/real-time/node-arguments.ts";
import { eventually } from "../../worlds/process/testdata/lab-process.ts";
import type { FinishedCell } from "./experiment.ts";

const reports = mkdtempSync(join(tmpdir(), "sweep-"));
after(() => rmSync(reports, { recursive: true }));

/** So many and such long cells that no machine has them done before it is stopped. */
const CELLS = 400;
const WORDS = ["sweep", "--vary", `RATE=1..${CELLS}:1`];

interface Started {
  readonly process: ChildProcess;
  readonly finished: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function startSweep(): Started {
  const env = { NO_COLOR: "1", REPORTS_DIR: reports, DURATION_S: "600" };
  const child = spawn(process.execPath, [...nodeArguments("lab/cli/main"), ...WORDS], {
    env: { ...env, LAB_OVERRIDES: "REPORTS_DIR DURATION_S" },
  });
  after(() => child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return {
    process: child,
    finished: new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr }))),
  };
}

function cells(): FinishedCell[] {
  const [name = ""] = readdirSync(reports);
  const file = join(reports, name, "cells.jsonl");
  if (name === "" || !existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as FinishedCell);
}

test("Ctrl-C on a sweep exits 1 and keeps every finished cell, and the same command goes on from there", async () => {
  const first = startSweep();
  await eventually("a finished cell", () => cells()[0]);
  first.process.kill("SIGINT");
  const { code, stderr } = await first.finished;
  assert.equal(code, 1, stderr);
  const kept = cells();
  assert.ok(kept.length > 0 && kept.length < CELLS, `${kept.length} cells`);
  assert.match(stderr, new RegExp(`${kept.length} of ${CELLS} cells are done and kept in .*goes on from there`));

  const second = startSweep();
  await eventually("one more cell", () => cells()[kept.length]);
  second.process.kill("SIGTERM");
  assert.equal((await second.finished).code, 1);
  const all = cells();
  assert.deepEqual(all.slice(0, kept.length), kept);
  assert.equal(new Set(all.map(({ key }) => key)).size, all.length, "no cell is computed twice");
  assert.deepEqual(
    readdirSync(join(reports, readdirSync(reports)[0] ?? "")),
    ["cells.jsonl"],
    "a sweep that was stopped leaves no result",
  );
});
