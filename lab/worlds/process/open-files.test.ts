/** Too few open files, from the outside: what is told is the limit, and not what fails because of it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { SOURCE_ROOT } from "../../toolchain/files.ts";

for (const words of ["run WORLD=virtual", "report", "sweep --vary RATE=20,40"]) {
  test(`bin/lab ${words} under "ulimit -n 64" names the limit and what to do, and starts nothing`, () => {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", `ulimit -n 64; exec bin/lab ${words}`], {
      cwd: SOURCE_ROOT,
      encoding: "utf8",
      env: { ...process.env, WORLD: "process" },
    });
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(
      stderr,
      /^This shell allows a program 64 open files \(ulimit -Hn\), and the lab needs 256 or more\./mu,
    );
    assert.doesNotMatch(stderr, /ERR_MODULE_NOT_FOUND|at .*node:/u);
  });
}
