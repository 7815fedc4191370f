/** What of the Compose world can be seen without an engine. With one: lab/worlds/compose-check.sh. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

test("However a run in Compose ends, its exit code is one of the lab's, and its scratch folder is gone", () => {
  const cases = [
    [0, 0],
    [1, 1],
    [2, 2],
    // What bash gives a command that SIGINT or SIGTERM ended.
    [130, 1],
    [143, 1],
  ] as const;
  for (const [status, wanted] of cases) {
    const script = `root=/nowhere; . "$0/compose.sh"; scratch=$(mktemp -d); echo "$scratch"; trap leave_compose EXIT; exit ${status}`;
    const ended = spawnSync("bash", ["--norc", "-euc", script, here], { encoding: "utf8" });
    assert.equal(ended.status, wanted, `${status}: ${ended.stderr}`);
    assert.equal(existsSync(ended.stdout.trimEnd()), false);
  }
});
