import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("supervise.sh", import.meta.url));

/** A program that ends with 7 on SIGTERM, once it has said that it can. */
const PROGRAM = `sh -c 'trap "exit 7" TERM; echo ready; while :; do sleep 0.02; done'`;

interface Told {
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs `script` in a process group of its own, as a terminal does; Ctrl-C follows when it says "ready". */
async function interrupted(t: TestContext, script: string): Promise<Told> {
  const child = spawn("bash", ["--norc", "-euc", `. "$0"; ${script}`, SCRIPT], { detached: true });
  const { pid } = child;
  assert.ok(pid !== undefined);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const closed = once(child, "close");
  t.after(() => {
    if (child.exitCode === null) process.kill(-pid, "SIGKILL");
  });
  await Promise.race([once(child.stdout, "data"), closed]);
  process.kill(-pid, "SIGINT");
  const [code] = (await closed) as [number | null];
  return { code, stdout };
}

test("After Ctrl-C the supervised program's own exit code counts, and nothing more is begun", async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const script = `status=0; supervise ${PROGRAM} || status=$?; supervise echo more || echo none; exit $status`;
    assert.deepEqual(await interrupted(t, script), { code: 7, stdout: "ready\nnone\n" }, `round ${round}`);
  }
});

test("A program that ends its work is not ended by Ctrl-C", async (t) => {
  const script = `forward=no supervise sh -c 'echo ready; sleep 0.2; echo whole'`;
  // sh and sleep, too, ignore the terminal's SIGINT: bash starts what it does not wait for so.
  assert.equal((await interrupted(t, script)).stdout, "ready\nwhole\n");
});

test("Where nobody interrupts, the exit code is the program's", async () => {
  for (const code of [0, 1, 2, 143]) {
    const child = spawn("bash", ["--norc", "-c", `. "$0"; supervise sh -c 'exit ${code}'`, SCRIPT]);
    assert.deepEqual(await once(child, "close"), [code, null]);
  }
});
