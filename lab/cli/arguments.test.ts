/** What bin/lab makes of the words behind its verb. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What `script` prints after arguments.sh, line by line. */
function after(script: string, words: readonly string[] = [], env: Record<string, string> = {}): string[] {
  const all = `root=/lab called_from=/home/me; refuse() { echo "$*" >&2; exit 2; }; . lab/cli/arguments.sh; ${script}`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-euc", all, "bash", ...words], {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  });
  assert.equal(stderr, "");
  return stdout.trimEnd().split("\n");
}

/** The settings and the arguments that `words` are sorted into, each on a line of its own. */
const sorted = (...words: string[]): string[] =>
  after(
    `give() { echo "set $1 to $2"; }; take_words "$@"; printf "argument %s\\n" \${arguments[@]+"\${arguments[@]}"}`,
    words,
  );

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

test("A folder for reports counts from where it was typed, or exported, and one that is absolute stays", () => {
  const print = `take_words "$@"; value_of REPORTS_DIR`;
  assert.deepEqual(after(print, ["REPORTS_DIR=out"]), ["/home/me/out"]);
  assert.deepEqual(after(print, ["REPORTS_DIR=/out"]), ["/out"]);
  assert.deepEqual(after(print, [], { REPORTS_DIR: "out" }), ["/home/me/out"]);
  assert.deepEqual(after(print, ["REPORTS_DIR=out"], { REPORTS_DIR: "/other" }), ["/home/me/out"]);
});

test("The last word for a setting holds, and a policy is looked up there before the environment", () => {
  const words = ["RATE=5", "POLICY=owner", "RATE=6", "EDGE_MAX_ATTEMPTS=2"];
  assert.deepEqual(after(`take_words "$@"; value_of POLICY; echo; "\${settings[@]}" sh -c 'echo $RATE'`, words), [
    "owner",
    "6",
  ]);
  assert.deepEqual(after(`value_of POLICY`, [], { POLICY: "mine" }), ["mine"]);
});

test("make hands every value on as it was typed, and runs nothing that stands in one", () => {
  const value = `a $b $$c $(shell echo no) \`d\` "e" 'f' \\g #h %i`;
  const { stdout, stderr } = spawnSync(
    "make",
    ["-s", "-f", "Makefile", "--eval=show: ; @env", "show", `SCENARIO=${value}`, "v=1", "_=2"],
    { cwd: ROOT, encoding: "utf8" },
  );
  assert.ok(stdout.split("\n").includes(`SCENARIO=${value}`), stdout + stderr);
  assert.match(stdout, /^LAB_OVERRIDES=.*\bSCENARIO\b.*$/m);
  assert.match(stdout, /^LAB_OVERRIDES=.*\bv\b.*$/m);
});

test("POLICIES that name no policy are refused before anything is looked for", () => {
  for (const verb of ["compare", "ablate"]) {
    const { status, stderr } = spawnSync("bin/lab", [verb, "POLICIES=, ,"], { cwd: ROOT, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /^POLICIES=, , names no policy/);
  }
});
