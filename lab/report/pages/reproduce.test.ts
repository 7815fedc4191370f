import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { reproduceCommand } from "./reproduce.ts";

const summary = { policy: "mine", scenario: "reference", world: "process", seed: 7 } as RunSummary;

test("Every knob is named with its value, and none that only says where the run took place", () => {
  const environment = [
    ["POLICY", "auto"],
    ["RATE", "60"],
    ["RATE_PROFILE", ""],
    ["EDGE_MAX_ATTEMPTS", "2"],
    ["REPORTS_DIR", "/tmp/x"],
    ["PORT", "0"],
  ] as const;
  assert.equal(
    reproduceCommand(summary, environment),
    "env POLICY=mine SCENARIO=reference WORLD=process SEED=7 RATE=60 RATE_PROFILE='' EDGE_MAX_ATTEMPTS=2 bin/lab run",
  );
});

test("A shell reads values with blanks, quotes and dollars as they were", () => {
  for (const text of ["at 5s capacity 90; it's $HOME `x`", "$HOME", "`x`", "a&b", "it's"]) {
    const command = reproduceCommand(summary, [["FAULT_TIMELINE", text]]).replace(
      "bin/lab run",
      "printenv FAULT_TIMELINE",
    );
    assert.equal(execFileSync("sh", ["-c", command], { encoding: "utf8" }), `${text}\n`);
  }
});
