import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { nodeArguments } from "../../services/real-time/node-arguments.ts";
import { SOURCE_ROOT } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "run-tests-"));
after(() => rmSync(folder, { recursive: true }));

const passing = 'import { test } from "node:test";\ntest("holds", () => {});\n';
const failing = 'import { test } from "node:test";\ntest("breaks", () => { throw new Error("broken"); });\n';

/** Runs the runner in a folder with just these files. */
function run(files: Record<string, string>, ...words: string[]): { status: number | null; output: string } {
  const root = mkdtempSync(join(folder, "tree-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const name of ["package.json", "tsconfig.json", "tsconfig.check.json"])
    copyFileSync(join(SOURCE_ROOT, name), join(root, name));
  if (!existsSync(join(root, "node_modules")))
    symlinkSync(join(SOURCE_ROOT, "node_modules"), join(root, "node_modules"));
  const env = { ...process.env };
  delete env["NODE_TEST_CONTEXT"]; // otherwise Node takes the inner run for a part of this one, and runs nothing
  const done = spawnSync(process.execPath, [...nodeArguments("lab/toolchain/run-tests"), ...words], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { status: done.status, output: done.stdout + done.stderr };
}

test("A tree without tests is a failure, not a success with nothing run", () => {
  const { status, output } = run({
    "lab/a.ts": "",
    "node_modules/x/x.test.ts": passing,
    "dist/y.test.ts": passing,
  });
  assert.equal(status, 2);
  assert.match(output, /nothing was tested/);
});

test("A word that no path contains is a failure and named in the message", () => {
  const { status, output } = run({ "lab/a.test.ts": passing }, "polcy");
  assert.equal(status, 2);
  assert.match(output, /polcy/);
});

test("All tests run, in every folder, and the closing lines count them", () => {
  const { status, output } = run({ "lab/a.test.ts": passing, "services/deep/er/b.test.ts": passing });
  assert.equal(status, 0, output);
  assert.match(output, /tests 2\b/);
  assert.match(output, /pass 2\b/);
});

test("Words choose the files whose path contains one of them", () => {
  const tree = {
    "lab/a.test.ts": passing,
    "services/hop/b.test.ts": passing,
    "services/edge/c.test.ts": failing,
  };
  const { status, output } = run(tree, "lab", "hop");
  assert.equal(status, 0, output);
  assert.match(output, /tests 2\b/);
});

test("One failing test fails the run", () => {
  const { status, output } = run({ "lab/a.test.ts": passing, "lab/b.test.ts": failing });
  assert.equal(status, 1);
  assert.match(output, /fail 1\b/);
});

test("A tree that does not compile is a failure that names the place, and nothing is tested", () => {
  const { status, output } = run({ "lab/a.test.ts": `${passing}export const n: number = "text";\n` });
  assert.equal(status, 1);
  assert.match(output, /lab\/a\.test\.ts/);
  assert.match(output, /nothing was tested/);
});

test("A failure is told with the path of its source, also of pure code, whose tests share a process; then the slowest files", () => {
  const tree = {
    "services/policy/a.test.ts": failing,
    "services/policy/b.test.ts": passing,
    "lab/c.test.ts": failing,
  };
  const { output } = run(tree);
  for (const path of ["services/policy/a.test.ts", "lab/c.test.ts"])
    assert.match(output, new RegExp(`^test at .*${path}:2:\\d+$`, "m"));
  assert.match(output, /^ℹ slow +\d+\.\d s {2}lab\/c\.test\.ts$[^]*^ℹ tests 3$/m);
});
