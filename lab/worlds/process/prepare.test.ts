/** Ctrl-C while the packages are being installed or the programs compiled. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../../..", import.meta.url));

/** bin/lab's way into the process world, with an npm that says on stdout that it works and goes on until it is ended. */
const SCRIPT = `
  set -euo pipefail
  say() { printf "%s\\n" "$@" >&2; }
  fail() { say "$*"; exit 1; }
  . "$0/lab/cli/supervise.sh"; . "$0/lab/worlds/process/process.sh"
  quietly() { shift; attend "$@"; }
  prepare_process
  say "it went on"`;

interface Case {
  /** What npm does when it is asked to list the packages. */
  readonly onList: string;
}

async function interrupted(
  t: TestContext,
  { onList }: Case,
): Promise<{ code: number | null; stderr: string }> {
  const cwd = mkdtempSync(join(tmpdir(), "prepare-"));
  t.after(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "node_modules"));
  mkdirSync(join(cwd, "bin"));
  writeFileSync(join(cwd, "package-lock.json"), "{}");
  const npm = `#!/bin/sh\n[ "$1" != ls ] || ${onList}\necho working >&7\nexec sleep 600\n`;
  writeFileSync(join(cwd, "bin", "npm"), npm, { mode: 0o755 });
  // A group of its own, as a terminal gives each command: Ctrl-C goes to all of it.
  const child = spawn("bash", ["--norc", "-c", `exec 7>&1\n${SCRIPT}`, here], {
    cwd,
    detached: true,
    env: { ...process.env, PATH: `${join(cwd, "bin")}:${process.env["PATH"]}` },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const closed = once(child, "close");
  const { pid } = child;
  assert.ok(pid !== undefined);
  t.after(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone, as it should be.
    }
  });
  await Promise.race([once(child.stdout, "data"), closed]);
  process.kill(-pid, "SIGINT");
  const [code] = (await closed) as [number | null];
  return { code, stderr };
}

test("Ctrl-C while npm looks at the packages, installs or compiles: exit 1, and no fault that was none", async (t) => {
  const cases: Record<string, Case> = {
    "looks at the packages": { onList: "true" },
    "installs them": { onList: "exit 1" },
    compiles: { onList: "exit 0" },
  };
  for (const [when, each] of Object.entries(cases)) {
    const { code, stderr } = await interrupted(t, each);
    assert.equal(code, 1, `${when}: ${stderr}`);
    assert.doesNotMatch(stderr, /could not be|it went on/, when);
    assert.match(stderr, /Stopped before anything was started\./, when);
  }
});
