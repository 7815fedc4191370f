/** A real Redis for a test, ended with it. */
import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";
import { startBudgetStore, type RedisProcess } from "../budget-store.ts";

/** True where redis-server is installed. Where it is not it says so, aloud, and in CI that is a failure. */
export function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    const what = "redis-server is not installed: apt-get install redis-server (Debian), brew install redis";
    if (process.env["CI"] === "true") throw new Error(what);
    console.error(`\n######## NOT CHECKED: the shared budget against a real Redis. ${what} ########\n`);
    return false;
  }
}

export async function redisFor(t: TestContext): Promise<RedisProcess> {
  const store = await startBudgetStore({ PATH: process.env["PATH"] ?? "" });
  t.after(() => store.stop());
  return store;
}
