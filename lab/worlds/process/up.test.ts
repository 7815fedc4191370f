/** `make up` and `make down` in the process world, around a process that stands in for the chain. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { keepChainUp } from "../../cli/up.ts";
import { takeDown, upPid } from "./up-chain.cjs";

const here = fileURLToPath(new URL("../../..", import.meta.url));

function projectWith(t: TestContext, pid: number): string {
  const root = mkdtempSync(join(tmpdir(), "up-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, ".lab"));
  symlinkSync(String(pid), join(root, ".lab", "up"));
  return root;
}

async function down(cwd: string) {
  // Not in step with it: whoever waits for a process to be gone waits for this one to take notice.
  const child = spawn(process.execPath, [`${here}/lab/worlds/process/prepare.cjs`, "down"], { cwd });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

/** What `up` says and returns where a chain is up. */
async function upBeside(root: string) {
  let said = "";
  const nothing = { stop: AbortSignal.abort(), onKill: () => {} };
  const run = {
    env: {},
    ambient: {},
    loadArguments: [],
    ...nothing,
    say: (text: string) => (said += `${text}\n`),
  };
  return { code: await keepChainUp(root, run, false), said };
}

/** A process that is called `called` in the list of processes, from the moment at which it prints. */
async function processCalled(t: TestContext, called: string, before = "") {
  const child = spawn("bash", ["--norc", "-c", `${before}echo up; exec -a "$0" tail -f /dev/null`, called]);
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const { pid } = child;
  assert.ok(pid !== undefined);
  const name = (): string => spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" }).stdout;
  while (!name().startsWith(called)) assert.equal(child.exitCode, null);
  return { pid, ended };
}

const UP = "node lab/worlds/process/prepare.cjs lab up";

test("A second chain is not put up beside the first, of which make down would then know nothing", async (t) => {
  const { pid, ended } = await processCalled(t, UP);
  const root = projectWith(t, pid);
  assert.deepEqual(await upBeside(root), {
    code: 1,
    said: `A chain is up already (process ${pid}). Its end: make down.\n`,
  });
  assert.deepEqual(await down(root), { code: 0, said: "The chain of local processes is down.\n" });
  await ended;
  assert.equal(existsSync(join(root, ".lab", "up")), false);
  assert.equal(upPid(root), undefined);
});

test("Of several chains that are put up at once one has the place, and the others name it", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "up-"));
  t.after(() => rmSync(root, { recursive: true }));
  // What a killed one has left is in all their ways.
  mkdirSync(join(root, ".lab"));
  symlinkSync("999999999", join(root, ".lab", "up"));
  const script = `const { markUp } = require(${JSON.stringify(`${here}/lab/worlds/process/up-chain.cjs`)});
    console.log(process.pid, markUp(${JSON.stringify(root)})); setInterval(() => {}, 1000)`;
  const file = join(root, "prepare.cjs");
  writeFileSync(file, script);
  const all = Array.from({ length: 6 }, () => spawn(process.execPath, [file, "lab", "up"]));
  t.after(() => all.forEach((one) => one.kill("SIGKILL")));
  const said = await Promise.all(
    all.map(async (one) =>
      String((await once(one.stdout, "data"))[0])
        .trim()
        .split(" "),
    ),
  );
  const winners = said.filter(([, other]) => other === "undefined").map(([pid]) => pid);
  assert.equal(winners.length, 1, JSON.stringify(said));
  for (const [pid, other] of said) if (pid !== winners[0]) assert.equal(other, winners[0]);
});

test("A chain that came up while the one before it ended keeps its place", async (t) => {
  const next = await processCalled(t, UP);
  const root = mkdtempSync(join(tmpdir(), "up-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, ".lab"));
  const lock = join(root, ".lab", "up");
  const script = `process.on("SIGTERM", () => { const fs = require("fs"); fs.unlinkSync(${JSON.stringify(lock)});
    fs.symlinkSync("${next.pid}", ${JSON.stringify(lock)}); process.exit(); }); console.log(1); setInterval(() => {}, 1000)`;
  writeFileSync(join(root, "prepare.cjs"), script);
  const first = spawn(process.execPath, [join(root, "prepare.cjs"), "lab", "up"]);
  t.after(() => first.kill("SIGKILL"));
  await once(first.stdout, "data");
  symlinkSync(String(first.pid), lock);
  assert.equal(await takeDown(root, () => {}), 0);
  assert.equal(readlinkSync(lock), String(next.pid));
});

test("A chain that was stopped, as by Ctrl-Z, goes on in order to end", async (t) => {
  const { pid, ended } = await processCalled(t, UP);
  process.kill(pid, "SIGSTOP");
  assert.equal((await down(projectWith(t, pid))).code, 0);
  await ended;
});

test("Another process that has the number of a chain that was killed is neither in the way nor ended", async (t) => {
  const { pid } = await processCalled(t, "somebody's editor");
  const root = projectWith(t, pid);
  assert.equal(upPid(root), undefined);
  assert.deepEqual(await down(root), { code: 0, said: "" });
  assert.doesNotThrow(() => process.kill(pid, 0));
});

test("A chain that does not end is not waited for without end, and is named", async (t) => {
  const { pid } = await processCalled(t, UP, "trap '' TERM; ");
  const said: string[] = [];
  assert.equal(await takeDown(projectWith(t, pid), (text) => said.push(text), 300), 1);
  assert.deepEqual(said, [
    `The chain (process ${pid}) has not ended within 0.3 s of SIGTERM. End it with: kill -KILL ${pid}`,
  ]);
});
