/** Packages and compiled programs in place, with an npm that stands in: once at a time, and Ctrl-C in the middle. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { childrenOf, eventually, isAlive } from "./testdata/lab-process.ts";

const here = fileURLToPath(new URL("../../..", import.meta.url));

const until = (seen: () => boolean): Promise<true> => eventually("it", () => seen() || undefined);
const isRoot = (): boolean => process.getuid?.() === 0;

/** bin/lab's way into the process world. */
const SCRIPT = `
  set -euo pipefail
  say() { printf "%s\\n" "$@" >&2; }
  fail() { say "$*"; exit 1; }
  settings=(env) given="" called_from=$PWD
  . "$0/lab/cli/supervise.sh"; . "$0/lab/worlds/process/process.sh"
  prepare_process
  cli_process run`;

/** A project with nothing installed and nothing compiled, and an npm that does `script` with the word in $1. */
function projectWith(t: TestContext, script: string): string {
  const cwd = mkdtempSync(join(tmpdir(), "prepare-"));
  t.after(() => rmSync(cwd, { recursive: true }));
  for (const name of ["node_modules", "bin", "lab/worlds/process"]) mkdirSync(join(cwd, name), { recursive: true });
  symlinkSync(`${here}/lab/worlds/process/prepare.cjs`, join(cwd, "lab/worlds/process/prepare.cjs"));
  for (const name of ["package-lock.json", "node_modules/.package-lock.json"]) writeFileSync(join(cwd, name), "{}");
  writeFileSync(join(cwd, "bin", "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return cwd;
}

/** The script above in a group of its own, as a terminal gives each command: Ctrl-C goes to all of it. */
function start(t: TestContext, cwd: string, env: Record<string, string> = {}) {
  const child = spawn("bash", ["--norc", "-c", SCRIPT, here], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${join(cwd, "bin")}:${process.env["PATH"]}`, ...env },
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
  const { pid } = child;
  assert.ok(pid !== undefined);
  t.after(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone, as it should be.
    }
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  return { child, pid, ended };
}

test("Ctrl-C while npm looks at the packages, installs or compiles: exit 1, and no fault that was none", async (t) => {
  const onList = {
    "looks at the packages": "true",
    "installs them": "exit 1",
    compiles: "exit 0",
  };
  for (const [when, each] of Object.entries(onList)) {
    // It tells that it works, in a file, and goes on until it is ended.
    const cwd = projectWith(t, `[ "$1" != ls ] || ${each}\necho "$1" > working\nexec sleep 600`);
    const { pid, ended } = start(t, cwd);
    const until = Date.now() + 60_000;
    while (!existsSync(join(cwd, "working")) && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(-pid, "SIGINT");
    const { code, stderr } = await ended;
    assert.equal(code, 1, `${when}: ${stderr}`);
    assert.doesNotMatch(stderr, /could not be|it went on/, when);
    assert.match(stderr, /Stopped before anything was started\./, when);
    assert.equal(existsSync(join(cwd, ".lab", "preparing")), false, when);
  }
});

/** Writes down when it begins and ends, takes its time, and compiles a lab that says that it went on. */
const COMPILER = `
  echo "begin $1" >>log; echo "$*" >>words; sleep 0.3; mkdir -p dist/lab/cli
  echo 'console.error("it went on")' >dist/lab/cli/main.js; echo "end $1" >>log`;

test("Two labs that start at once: one installs and compiles, the other waits for it and goes on", async (t) => {
  const cwd = projectWith(t, COMPILER);
  const both = await Promise.all([start(t, cwd).ended, start(t, cwd).ended]);
  for (const { code, stderr } of both) assert.deepEqual([code, /it went on/.test(stderr)], [0, true], stderr);
  const log = readFileSync(join(cwd, "log"), "utf8");
  assert.equal(log, "begin ls\nend ls\nbegin run\nend run\n");
});

test("A lock that a killed lab left is no obstacle, and what is in place is not made again", async (t) => {
  const cwd = projectWith(t, COMPILER);
  mkdirSync(join(cwd, ".lab"));
  // This process has the number, and is none that prepares anything.
  symlinkSync(String(process.pid), join(cwd, ".lab", "preparing"));
  assert.equal((await start(t, cwd).ended).code, 0);
  assert.throws(() => lstatSync(join(cwd, ".lab", "preparing")));
  const log = readFileSync(join(cwd, "log"), "utf8");
  assert.equal((await start(t, cwd).ended).code, 0);
  assert.equal(readFileSync(join(cwd, "log"), "utf8"), log);
  writeFileSync(join(cwd, "lab", "new.ts"), "");
  assert.match((await start(t, cwd).ended).stderr, /^Compiling …\n/);
});

test("The compiler is installed and looked for under NODE_ENV=production, too", async (t) => {
  const cwd = projectWith(t, `${COMPILER}\n[ "$1" != ls ]`);
  assert.equal((await start(t, cwd, { NODE_ENV: "production" }).ended).code, 0);
  assert.equal(
    readFileSync(join(cwd, "words"), "utf8"),
    "ls --all --include=dev\nci --include=dev\nrun --silent build\n",
  );
});

test("A signal while it waits for another lab ends it at once with 1", async (t) => {
  const cwd = projectWith(t, `echo "$1" > working\nexec sleep 600`);
  start(t, cwd);
  await until(() => existsSync(join(cwd, "working")));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { pid, ended } = start(t, cwd);
    await until(() => childrenOf(pid).some(({ args }) => args.includes("prepare.cjs")));
    process.kill(signal === "SIGINT" ? -pid : pid, signal);
    assert.equal((await ended).code, 1, signal);
  }
});

test("Where bin/lab is killed, what it has started ends", async (t) => {
  const cwd = projectWith(t, `echo "$1" > working\nexec sleep 600`);
  const { child, pid } = start(t, cwd);
  await until(() => existsSync(join(cwd, "working")));
  const started = childrenOf(pid);
  assert.equal(started.length, 1);
  child.kill("SIGKILL");
  await until(() => !started.some((one) => isAlive(one.pid)));
});

test("Where root has been at work before, another user is told what to do", { skip: !isRoot() }, async (t) => {
  const cwd = projectWith(t, COMPILER);
  mkdirSync(join(cwd, ".lab"), { mode: 0o755 });
  chmodSync(cwd, 0o755);
  const { stderr, status } = spawnSync(process.execPath, [`${here}/lab/worlds/process/prepare.cjs`, "packages"], {
    cwd,
    encoding: "utf8",
    uid: 65534,
  });
  assert.equal(status, 1);
  assert.match(stderr, /^\.lab belongs to another user, such as root .* sudo chown -R "\$\(id -un\)" \.lab /);
});

test("Packages of an installation that was ended halfway are installed anew, whatever npm ls says of them", async (t) => {
  const cwd = projectWith(t, COMPILER);
  rmSync(join(cwd, "node_modules/.package-lock.json"));
  assert.equal((await start(t, cwd).ended).code, 0);
  assert.match(readFileSync(join(cwd, "log"), "utf8"), /^begin ci\n/);
});

test("What npm says is shown when it fails, with what to do", async (t) => {
  const cwd = projectWith(t, `echo "no such registry" >&2; exit 1`);
  const { code, stderr } = await start(t, cwd).ended;
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Installing the packages[^\n]*\nno such registry\nThe packages could not be installed: see above/,
  );
  assert.doesNotMatch(stderr, /it went on/);
});
