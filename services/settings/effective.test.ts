/** Where the reports of a command go. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { effectiveSettings } from "./effective.ts";

function project(t: TestContext, dotEnv: string): string {
  const root = mkdtempSync(join(tmpdir(), "effective-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "policies"));
  writeFileSync(join(root, "policies", "naive.env"), "");
  writeFileSync(join(root, ".env"), dotEnv);
  return root;
}

test("A relative folder that was typed counts from the caller's folder, one from a file from the project's", (t) => {
  const root = project(t, "REPORTS_DIR=mine");
  const dirOf = (environment: Record<string, string>, into?: string) =>
    effectiveSettings({ root, environment: { LAB_FROM: "/home", ...environment }, into })["REPORTS_DIR"];
  assert.equal(dirOf({}), join(root, "mine"));
  assert.equal(dirOf({}, "two"), join(root, "mine", "two"));
  assert.equal(dirOf({ REPORTS_DIR: "out" }), "out");
  assert.equal(dirOf({ REPORTS_DIR: "out", LAB_OVERRIDES: "REPORTS_DIR" }, "two"), join("out", "two"));
  assert.equal(dirOf({ LAB_FROM: root }), "mine");
  assert.equal(effectiveSettings({ root, environment: {} })["REPORTS_DIR"], "mine");
});
