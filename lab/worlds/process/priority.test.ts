import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { yieldToGenerator } from "./priority.ts";

test("A service is put behind the generator, and so is its whole session where Linux weighs sessions", async (t) => {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], {
    detached: true,
    stdio: "ignore",
  });
  t.after(() => child.kill("SIGKILL"));
  const pid = child.pid ?? 0;
  await yieldToGenerator(pid);
  assert.equal(getPriority(pid), 10);
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) assert.match(readFileSync(group, "utf8"), /nice 10$/m);
});

test("A process that has just ended is nobody's business", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  await assert.doesNotReject(yieldToGenerator(child.pid ?? 0));
});
