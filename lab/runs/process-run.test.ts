import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { effectiveSettings } from "../../services/settings/effective.ts";
import { runInProcessWorld } from "./process-run.ts";
import { RunFailed } from "./stopped.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("A run whose chain cannot start has failed, where its report would be is named, and nothing of it is kept", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "process-run-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const said: string[] = [];
  const { signal } = new AbortController();
  const kills = new Set<() => void>();
  const surroundings = {
    // Node is not told where it could find anything, so no program starts.
    ambient: { NODE_OPTIONS: "--import=/nowhere/at/all.js" },
    stop: signal,
    onKill: (kill: () => void, over: AbortSignal) => {
      kills.add(kill);
      over.addEventListener("abort", () => kills.delete(kill));
    },
    say: (text: string) => said.push(text),
  };
  const env = effectiveSettings({ root, environment: {} });
  await assert.rejects(
    runInProcessWorld(env, join(folder, "seed-1"), surroundings),
    (error) => error instanceof RunFailed && /a run came to nothing: .*seed-1/.test(error.message),
  );
  assert.match(said.join("\n"), /did not start|ended by itself/);
  // An experiment of twenty runs would otherwise leave twenty listeners, and Node would warn of a leak.
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.equal(kills.size, 0);
});
