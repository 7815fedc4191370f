/** Which world bin/lab takes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("choose.sh", import.meta.url));

/** Runs `script` after choose.sh. */
function worldsSay(script: string): { status: number | null; stderr: string } {
  const preamble = `settings=(env); value_of() { printf %s "\${!1:-}"; }; interrupted=""; say() { printf "%s\\n" "$@" >&2; }; fail() { say "$*"; exit 1; }; . "$0"`;
  const { status, stderr } = spawnSync("bash", ["--norc", "-euc", `${preamble}; ${script}`, SCRIPT], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return { status, stderr };
}

test("A Ctrl-C while Docker is asked says nothing about Docker, and starts no other world", () => {
  // What a signal does to each question: it ends without an answer.
  const asked = `docker() { interrupted=INT; return 130; }; docker-compose() { return 130; }; within() { shift; "$@"; }`;
  for (const wanted of ["compose", "auto"]) {
    const { status, stderr } = worldsSay(`${asked}; WORLD=${wanted}; choose_world; say "it went on"`);
    assert.deepEqual([status, stderr], [1, "Stopped before anything was started.\n"], wanted);
  }
});

function worldIn(file: string): string {
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-euc", `. "$0"; world_in_file`, SCRIPT], {
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
