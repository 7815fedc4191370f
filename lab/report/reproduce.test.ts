import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { RunSummary } from "../../loadgen/run-summary.ts";
import { reproduceCommand } from "./reproduce.ts";

const summary = { policy: "mine", scenario: "reference", world: "process", seed: 7 } as RunSummary;

test("Every knob away from its default is named, and none that only says where the run took place", () => {
  const environment = [
    ["POLICY", "mine"],
    ["RATE", "60"],
    ["CAPACITY", "120"],
    ["REPORTS_DIR", "/tmp/x"],
    ["FAULT_TIMELINE", ""],
  ] as const;
  assert.equal(
    reproduceCommand(summary, environment, { RATE: "60", CAPACITY: "90" }),
    "make run POLICY=mine SCENARIO=reference WORLD=process SEED=7 CAPACITY=120",
  );
});

test("A shell reads values with blanks, quotes and dollars as they were, doubled dollars being make's", () => {
  const text = "at 5s capacity 90; it's $HOME `x`";
  const command = reproduceCommand(summary, [["FAULT_TIMELINE", text]]);
  const words = execFileSync("sh", ["-c", `make() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: "utf8",
  });
  assert.equal(words.trim().split("\n").at(-1), `FAULT_TIMELINE=${text.replaceAll("$", "$$$$")}`);
});
