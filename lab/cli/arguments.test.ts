/** What bin/lab makes of the words behind its verb. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("arguments.sh", import.meta.url));

/** The settings and the arguments that `words` are sorted into, each on a line of its own. */
function sorted(...words: string[]): string[] {
  const script = `give() { echo "set $1 to $2"; }; . "$0"; take_words "$@"; printf "argument %s\\n" \${arguments[@]+"\${arguments[@]}"}`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-euc", script, SCRIPT, ...words], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout.trimEnd().split("\n");
}

test("What to vary stays an argument, and a setting beside it is a setting", () => {
  const words = ["--vary", "RATE=20..120:5", "DURATION_S=60", "--vary", "ERROR_RATE=0,0.1", "SEED=2"];
  assert.deepEqual(sorted(...words), [
    "set DURATION_S to 60",
    "set SEED to 2",
    "argument --vary",
    "argument RATE=20..120:5",
    "argument --vary",
    "argument ERROR_RATE=0,0.1",
  ]);
});

test("A value may hold what it likes; what has no name in front of its = is an argument", () => {
  assert.deepEqual(sorted("RATE_PROFILE=0:20 5:60=x", "budgeted.amplification < 1.6", "--seed=3"), [
    "set RATE_PROFILE to 0:20 5:60=x",
    "argument budgeted.amplification < 1.6",
    "argument --seed=3",
  ]);
});
