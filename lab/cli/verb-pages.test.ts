/** What is written from the registry of verbs is up to date, and bin/lab answers from it with nothing installed. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { TERMINAL_WIDTH } from "../../loadgen/output/narrow-text.ts";
import { filesUnder } from "../toolchain/files.ts";
import { verbPages } from "./verb-pages.ts";
import { VERBS } from "./verbs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

const bin = mkdtempSync(join(tmpdir(), "verbs-"));
after(() => rmSync(bin, { recursive: true }));
for (const name of ["bash", "awk", "cat", "cksum", "cut", "dirname", "env", "sed", "tr"]) {
  symlinkSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trimEnd(), join(bin, name));
}

/** bin/lab where neither Node nor Docker is on the PATH. */
function lab(...words: string[]) {
  const env = { PATH: bin, WORLD: "compose" };
  const { status, stdout, stderr } = spawnSync(`${root}/bin/lab`, words, { encoding: "utf8", env });
  return { status, stdout, stderr };
}

for (const [path, textOf] of Object.entries(verbPages(root))) {
  test(`${path} is up to date (npm run docs writes it)`, () => assert.equal(read(path), textOf()));
}

test("Each verb is there once, on one line, and its page is there", () => {
  assert.equal(new Set(VERBS.map(({ name }) => name)).size, VERBS.length);
  for (const { name, summary, page } of VERBS) {
    assert.match(name, /^[a-z-]+$/);
    assert.match(summary, /^[^\n|]+[^.\n]$/, name);
    if (page !== undefined) assert.ok(existsSync(`${root}/${page}`), `${name}: ${page}`);
  }
});

test("bin/lab has a function for each verb that the shell does, and for no other", () => {
  const scripts = ["bin/lab", ...filesUnder(`${root}/lab`).map((path) => `lab/${path}`)];
  const functions = scripts
    .filter((path) => path === "bin/lab" || path.endsWith(".sh"))
    .flatMap((path) => [...read(path).matchAll(/^verb_([a-z]+)\(\)/gm)].map(([, name = ""]) => name));
  const ofShell = VERBS.filter(({ runsIn }) => runsIn === "shell").map(({ name }) => name);
  assert.deepEqual(functions.toSorted(), ofShell.toSorted());
});

test("What is not done by the shell alone is a command", () => {
  for (const { name, runsIn, add } of VERBS) assert.ok(runsIn === "shell" || add !== undefined, name);
});

test("Help names what can be typed, and no line of it is wider than a terminal", () => {
  const texts = [["help"], ...VERBS.map(({ name }) => [name, "--help"])].map((words) => lab(...words).stdout);
  for (const line of texts.join("\n").split("\n")) assert.ok(line.length <= TERMINAL_WIDTH, line);
  assert.doesNotMatch(texts.join("\n"), /(?<!bin\/)\blab (?:VERB|\[|[a-z-]+ \[)|`lab /u);
});

test("Help, and a verb that is none, are answered without Node, Docker, packages or a build", () => {
  assert.deepEqual(lab("help"), { status: 0, stdout: read("lab/cli/usage.txt"), stderr: "" });
  assert.deepEqual(lab("--help"), lab());
  assert.match(lab("run", "--help").stdout, /^Usage: bin\/lab run \[options\]\n[^]*--json/);
  assert.deepEqual(lab("help", "run"), lab("run", "-h"));
  assert.doesNotMatch(lab("run", "--help").stdout, /```|Usage: bin\/lab compare/);
  assert.equal(lab("run", "--help").status, 0);
  assert.deepEqual(lab("nosuch"), {
    status: 2,
    stdout: "",
    stderr: '"nosuch" is not a verb. bin/lab help lists them all.\n',
  });
});
