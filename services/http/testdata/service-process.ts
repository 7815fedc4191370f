/** A service as a process of its own, for tests of its life. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { execa } from "execa";
import { nodeArguments } from "../../real-time/node-arguments.ts";

/** Starts `services/<role>/main.ts`; it is killed when the test ends, should it still run. */
export function start(t: TestContext, role: string, env: Record<string, string>, words: string[] = []) {
  const { PATH = "", HOME = "" } = process.env;
  const child = execa(process.execPath, [...nodeArguments(`services/${role}/main`), ...words], {
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: "0", ...env },
    extendEnv: false,
    ipc: true,
    reject: false,
    timeout: 30_000, // A child that should have ended fails its test instead of holding it up.
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

export type Child = ReturnType<typeof start>;

/** Where it listens, once it does. */
export async function urlOf(child: Child): Promise<string> {
  const message = await child.getOneMessage();
  assert.ok(typeof message === "object" && message !== null && "port" in message);
  return `http://127.0.0.1:${String(message.port)}`;
}
