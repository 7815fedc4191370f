/** `make up` and `make down` in the process world, around a process that stands in for the chain. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../../..", import.meta.url));

const PREAMBLE = `
  say() { printf "%s\\n" "$@" >&2; }
  fail() { say "$*"; exit 1; }
  . "$0/lab/cli/supervise.sh"; . "$0/lab/worlds/process/process.sh"
  cli_process() { say "started: $*"; }`;

function projectWith(t: TestContext, pid: number): string {
  const root = mkdtempSync(join(tmpdir(), "up-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, ".lab"));
  writeFileSync(join(root, ".lab", "up.pid"), `${pid}\n`);
  return root;
}

async function lab(cwd: string, verb: "up_process" | "down_process") {
  // Not in step with it: whoever waits for a process to be gone waits for this one to take notice.
  const child = spawn("bash", ["--norc", "-euc", `${PREAMBLE}\n${verb}`, here], { cwd });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

/** A process that is called `called` in the list of processes, from the moment at which it prints. */
async function processCalled(t: TestContext, called: string) {
  const child = spawn("bash", ["--norc", "-c", `echo up; exec -a "$0" tail -f /dev/null`, called]);
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const { pid } = child;
  assert.ok(pid !== undefined);
  const name = (): string => spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" }).stdout;
  while (!name().startsWith(called)) assert.equal(child.exitCode, null);
  return { pid, ended };
}

test("A second chain is not put up beside the first, of which make down would then know nothing", async (t) => {
  const { pid, ended } = await processCalled(t, "node dist/lab/cli/main.js up");
  const root = projectWith(t, pid);
  assert.deepEqual(await lab(root, "up_process"), {
    code: 1,
    said: `A chain is up already (process ${pid}). Its end: make down.\n`,
  });
  assert.deepEqual(await lab(root, "down_process"), {
    code: 0,
    said: "The chain of local processes is down.\n",
  });
  await ended;
  assert.equal(existsSync(join(root, ".lab", "up.pid")), false);
  assert.deepEqual(await lab(root, "up_process"), { code: 0, said: "started: up\n" });
});

test("Another process that has the number of a chain that was killed is neither in the way nor ended", async (t) => {
  const { pid } = await processCalled(t, "somebody's editor");
  const root = projectWith(t, pid);
  assert.deepEqual(await lab(root, "up_process"), { code: 0, said: "started: up\n" });
  assert.deepEqual(await lab(root, "down_process"), { code: 0, said: "" });
  assert.doesNotThrow(() => process.kill(pid, 0));
});
