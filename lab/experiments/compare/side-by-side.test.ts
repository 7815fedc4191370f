import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { readSummaries } from "../../report/data/read-summaries.ts";
import { sideBySide } from "./side-by-side.ts";

const saved = fileURLToPath(new URL("../../report/testdata", import.meta.url));
const [budgeted, naive] = readSummaries([saved]).map(({ summary }) => summary);
assert.ok(budgeted && naive);

const rowOf = (text: string, label: string): string[] => {
  const line = text.split("\n").find((row) => row.includes(label)) ?? "";
  return line
    .split("│")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
};

test("Each run is a column, with the numbers of its summary", () => {
  const text = stripVTControlCharacters(sideBySide([naive, budgeted]));
  const amplification = [naive, budgeted].map((run) => `${run.amplification!.toFixed(2)}x`);
  assert.deepEqual(rowOf(text, "AMPLIFICATION"), ["AMPLIFICATION", ...amplification]);
  const success = [naive, budgeted].map((run) => `${(100 * run.successRate!).toFixed(1)} %`);
  assert.deepEqual(rowOf(text, "succeeded"), ["succeeded", ...success]);
});

test("One limit stands below where it is the same for all, else one for each", () => {
  const limit = { successRate: 0.9, amplification: 1.5 };
  const same = sideBySide([
    { ...naive, limit },
    { ...budgeted, limit },
  ]);
  assert.match(same, /^limit: 90\.0 % at 1\.50x\. In the long run no policy can do better/m);
  const other = sideBySide([
    { ...naive, limit },
    { ...budgeted, limit: { successRate: 0.5, amplification: 1 } },
  ]);
  assert.match(other, /naive 90\.0 % at 1\.50x; budgeted\s50\.0 % at 1\.00x/);
});

test("A run that is not valid says so, and why", () => {
  const text = sideBySide([
    budgeted,
    { ...naive, valid: false, validity: "invalid", invalidReasons: ["the generator was late."] },
  ]);
  assert.match(text, /^INVALID: 1 of 2 runs is INVALID \(naive\)\. Do not quote/);
  assert.match(text, /^INVALID naive: the generator was late\.$/m);
});
