/** Ctrl-C on the twin, with its real programs over loopback. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, isAlive, startLab } from "../../worlds/process/testdata/lab-process.ts";

test("Ctrl-C on the twin exits 1, says what is kept and how to go on, and leaves no process", async (t) => {
  const lab = startLab(t, ["twin", "budgeted", "--repeat", "1"], { DURATION_S: "60" });
  const load = await lab.child("lab/worlds/load/main");
  const pids = lab.children().map(({ pid }) => pid);
  assert.ok(pids.includes(load.pid));
  lab.process.kill("SIGINT");
  const { code, stdout, stderr } = await lab.finished;
  assert.equal(code, 1, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, /2 runs over HTTP, .* about 1 min/);
  assert.match(stderr, /\d of 2 runs are valid and kept in .*; the same command goes on from there/);
  await eventually("the end of all programs", () => (pids.some(isAlive) ? undefined : true));
});
