/** Which world bin/lab takes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./choose.sh", import.meta.url));

function worldIn(file: string): string {
  const { stdout, stderr } = spawnSync("bash", ["-euc", `. "$0"; world_in_file`, SCRIPT], {
    input: file,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout.trimEnd();
}

test("WORLD is read from .env however that file may write it", () => {
  const forms = [
    "WORLD=process",
    "RATE=7\nWORLD=process\nSEED=1",
    "export WORLD=process",
    "  WORLD = process   # not Docker",
    'WORLD="process"',
    "WORLD='process' ",
    "RATE=7\r\nWORLD=process\r\n",
    "\uFEFFWORLD=process",
  ];
  for (const form of forms) assert.equal(worldIn(form), "process", JSON.stringify(form));
});

test("A wrong world in .env is handed on, so that it is refused and not passed over", () => {
  assert.equal(worldIn("WORLD=Proces5"), "Proces5");
});

test("Where .env names no world, there is none", () => {
  for (const file of ["", "# WORLD=process", "MY_WORLD=process", "WORLDS=process", "WORLD="])
    assert.equal(worldIn(file), "", JSON.stringify(file));
});
