/** Completion of what is typed behind bin/lab, each shell really asked, by a checkout whose path is awkward. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { catalogueNames, policyNames } from "../../services/settings/policy-files.ts";
import { labProgram } from "./program.ts";
import { VERBS } from "./verbs.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "completion-"));
after(() => rmSync(scratch, { recursive: true }));

/** All that completion lives by, with a policy of the user's own; and a folder elsewhere, with a file. */
const checkout = join(scratch, 'it\'s my "lab" $HOME & more');
const elsewhere = join(scratch, "elsewhere");
for (const path of ["bin", "policies", ".env.example", "docs/verbs.md", "lab/cli", "lab/worlds"])
  cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
writeFileSync(join(checkout, "policies", "mine.env"), "");
mkdirSync(elsewhere);
writeFileSync(join(elsewhere, "a-report"), "");

const there = (name: string): boolean => spawnSync(name, ["--version"]).status === 0;

function run(command: string, words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env["PATH"], HOME: scratch, TERM: "dumb" };
  return spawnSync(command, words, { cwd: elsewhere, encoding: "utf8", env, timeout: 60_000 });
}

const DOOR = join(checkout, "bin", "lab");

const ASK_ALL = `cd "$1"; shift; refuse() { exit 2; }; . lab/cli/answers.sh; line=()
  for word; do
    line+=("$word")
    [ "$word" != END ] || { unset "line[\${#line[@]} - 1]"; answer "\${line[@]}"; echo END; line=(); }
  done`;

/** What can stand at the place of each line's last word, as bin/lab answers it. */
function answersTo(...lines: readonly (readonly string[])[]): string[][] {
  const words = lines.flatMap((line) => [...line, "END"]);
  const { status, stdout, stderr } = run("bash", ["--norc", "-euc", ASK_ALL, "bash", checkout, ...words]);
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout
    .split("END\n")
    .slice(0, -1)
    .map((answer) => answer.split("\n").slice(0, -1));
}
const answers = (...words: string[]): string[] => answersTo(words)[0] ?? [];

/** Where each shell's script lies, as bin/lab has printed it. */
const [bashScript, zshScript, fishScript] = ["bash", "zsh", "fish"].map((shell) => {
  const { status, stdout, stderr } = run(DOOR, ["completion", shell]);
  assert.deepEqual([status, stderr], [0, ""]);
  const path = join(scratch, `lab.${shell}`);
  writeFileSync(path, stdout);
  return path;
}) as [string, string, string];

test("All verbs that people type are completed, and no others", () => {
  const typed = VERBS.filter(({ group }) => group !== "inside").map(({ name }) => name);
  assert.deepEqual(answers("").toSorted(), typed.toSorted());
  assert.deepEqual(answers("help", "fr"), ["frontier"]);
});

test("Behind each verb stand the options that it takes", () => {
  const commands = labProgram({ root: ROOT, environment: {} }).commands;
  const taken = answersTo(...commands.map((command) => [command.name(), "--"]));
  for (const [at, command] of commands.entries()) {
    const shown = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long);
    assert.deepEqual(taken[at], [...shown, "--help"], command.name());
  }
  assert.deepEqual(answersTo(["demo", "--"], ["down", "--"]), [["--json"], []]);
});

test("Settings are completed, with their values where there are few, and at a hop of their own", () => {
  assert.deepEqual(answers("run", "RATE"), ["RATE=", "RATE_PROFILE="]);
  assert.deepEqual(answers("run", "EDGE_MAX_A"), ["EDGE_MAX_ATTEMPTS="]);
  assert.deepEqual(answers("run", "EDGE_RATE"), []);
  assert.deepEqual(answers("run", "EDGE_BACKOFF=f"), ["EDGE_BACKOFF=fixed", "EDGE_BACKOFF=full"]);
  assert.deepEqual(answers("run", "PASS_DEADLINE="), ["PASS_DEADLINE=0", "PASS_DEADLINE=1"]);
  assert.deepEqual(answers("run", "RATE="), []);
  assert.deepEqual(answers("sweep", "--vary", "BACKOFF=fu"), ["BACKOFF=full"]);
  assert.deepEqual(answers("down", "RATE"), []);
});

test("Policies are completed wherever their names go, the user's own too, and after a comma", () => {
  const names = [...policyNames(checkout), ...catalogueNames(checkout)].toSorted();
  assert.ok(names.includes("mine"));
  assert.deepEqual(
    answers("run", "POLICY=").toSorted(),
    names.map((name) => `POLICY=${name}`),
  );
  assert.deepEqual(answers("compare", "naive", "ow"), ["owner"]);
  assert.deepEqual(answers("compare", "POLICIES=naive,ow"), ["POLICIES=naive,owner"]);
  assert.deepEqual(answers("sweep", "--policy", "naive,mi"), ["naive,mine"]);
  assert.deepEqual(answers("ablate", "ow"), []);
});

test("An option's choices follow it; where a folder, a number or an unknown verb stands, nothing is made up", () => {
  assert.deepEqual(answers("published", "--world", ""), ["virtual", "process"]);
  assert.deepEqual(answers("completion", ""), ["bash", "zsh", "fish"]);
  for (const words of [
    ["report", ""],
    ["assert", "--from", ""],
    ["map", "--repeat", ""],
    ["nosuch", ""],
  ])
    assert.deepEqual(answers(...words), [], words.join(" "));
  assert.deepEqual(answers("report", "--h"), ["--html", "--help"]);
});

test("Half a command line is never taken for a command, whatever stands in it", () => {
  const asked = (...words: string[]) => run(DOOR, ["completion", "answer", ...words]);
  const { status, stdout, stderr } = asked("run", "--help", "TIERS=a b", "POLICY=own");
  assert.deepEqual([status, stdout, stderr], [0, "POLICY=owner\n", ""]);
  for (const words of [["clean", "$(touch x)", "*", "\\", "'"], [], ["nosuch", "-"]]) {
    const nothing = asked(...words);
    assert.deepEqual([nothing.status, nothing.stdout, nothing.stderr], [0, "", ""], words.join(" "));
  }
});

test("A shell that there is no script for is refused, with those that there are", () => {
  for (const words of [[], ["tcsh"], ["bash", "zsh"]]) {
    const { status, stdout, stderr } = run(DOOR, ["completion", ...words]);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /^"completion" takes one shell: bash, zsh or fish/);
  }
});

/** What bash would put in the place of its own word, each between angles. */
function inBash(line: string, setup = ""): string {
  const ask = `set -euo pipefail; ${setup} . "$0"; complete -p lab bin/lab ./bin/lab >/dev/null; COMP_LINE=$1 COMP_POINT=\${#1}; _lab
    printf "<%s>" \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
  const { stdout, stderr } = run("bash", ["--norc", "-c", ask, bashScript, line]);
  assert.equal(stderr, "");
  return stdout;
}

test("bash: a whole word ends with a blank, the name of a setting does not, and = is where readline's word begins", () => {
  assert.equal(inBash("bin/lab ru"), "<run >");
  assert.equal(inBash("bin/lab run RAT"), "<RATE=><RATE_PROFILE=>");
  assert.equal(inBash("bin/lab run POLICY=mi"), "<mine >");
  assert.equal(inBash("bin/lab run POLICY=mi", "COMP_WORDBREAKS=' ';"), "<POLICY=mine >");
  assert.equal(inBash("lab published --world "), "<virtual ><process >");
  assert.equal(inBash("lab report "), "<>");
});

test("fish: verbs, settings, policies, and files where one belongs", { skip: !there("fish") && "no fish" }, () => {
  const completed = (line: string): string[] => {
    const { stdout, stderr } = run("fish", [
      "--no-config",
      "-c",
      'source $argv[1]; complete -C "$argv[2]"',
      fishScript,
      line,
    ]);
    assert.equal(stderr, "");
    return stdout.split("\n").slice(0, -1);
  };
  assert.deepEqual(completed("bin/lab ru"), ["run"]);
  assert.deepEqual(completed("lab run POLICY=mi"), ["POLICY=mine"]);
  assert.deepEqual(completed("lab published --world "), ["process", "virtual"]);
  assert.deepEqual(completed("lab report "), ["a-report"]);
  assert.deepEqual(completed("lab run REPORTS_DIR=a"), ["REPORTS_DIR=a-report"]);
});

/** Sends each line and a Tab to a zsh at a terminal of its own; then a key that shows the line as it stands. */
const ZSH_TYPES = `zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z ". '$1'"; shift
  for line; do zpty -n -w z "$line"$'\\t\\a'; zpty -r z seen '*<*>*'; print -r -- "$seen"; done`;

test("zsh: the Tab key completes words, settings and files", { skip: !there("zsh") && "no zsh" }, () => {
  const start = join(scratch, "start.zsh");
  const show = `show() { print -r -- "<$BUFFER>"; BUFFER="" }; zle -N show; bindkey "^G" show; bindkey "^I" complete-word`;
  writeFileSync(start, `PS1=""; autoload -Uz compinit; compinit -u -D; . '${zshScript}'; ${show}`);
  const lines = {
    "../bin/lab ru": "../bin/lab run ",
    "lab run RATE_": "lab run RATE_PROFILE=",
    "lab run POLICY=mi": "lab run POLICY=mine ",
    "lab report a-": "lab report a-report ",
    "lab run REPORTS_DIR=a": "lab run REPORTS_DIR=a-report ",
  };
  const { stdout } = run("zsh", ["-f", "-c", ZSH_TYPES, "zsh", start, ...Object.keys(lines)]);
  assert.deepEqual(
    [...stdout.matchAll(/<([^>]*)>/g)].map(([, line]) => line),
    Object.values(lines),
  );
});
