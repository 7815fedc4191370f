/** What of the Compose world can be seen without an engine. With one: lab/worlds/compose/compose.check.ts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sayingWarnings } from "../process/warnings.ts";
import { eventually } from "../process/testdata/lab-process.ts";

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

/** What `prepare_reports` says of a folder, for root, who hands a landing place over to the programs. */
function prepared(reports: string, before = ""): { status: number | null; stdout: string; stderr: string } {
  const script = `
    say() { printf "%s\\n" "$@" >&2; }; fail() { say "$*"; exit 1; }; refuse() { say "$*"; exit 2; }
    root=/nowhere; . "$0/compose.sh"
    setting() { printf %s "$1" | sed "s|.*|$REPORTS|"; }; id() { echo 0; }; chown() { :; }; run_as=1000:1000
    ${before}
    prepare_reports; echo "$LAB_REPORTS"`;
  return spawnSync("bash", ["--norc", "-euc", script, here], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], REPORTS: reports },
  });
}

test("A folder for reports that cannot be written to is named, before anything is started", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "compose-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "file");
  writeFileSync(file, "");
  const cannot = (path: string): string =>
    `REPORTS_DIR=${path} cannot be written to: choose a folder that is yours, with room. Nothing was started.\n`;
  assert.deepEqual([prepared(file).status, prepared(file).stderr], [2, cannot(file)]);
  const full = prepared(folder, "mktemp() { return 1; }");
  assert.deepEqual([full.status, full.stderr], [2, cannot(folder)]);
  const colon = prepared(`${folder}/a:b`);
  assert.equal(colon.status, 2);
  assert.match(colon.stderr, /^REPORTS_DIR=.*a:b: Docker takes a colon/);
  assert.deepEqual(readdirSync(folder), ["file"]);
  const fine = prepared(join(folder, "new", "deep"));
  assert.equal(fine.status, 0, fine.stderr);
  assert.match(fine.stdout, /new\/deep\/\.landing-\w{6}\n$/);
});

/** Runs `script` after compose.sh, in a folder of its own. */
function withCompose(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "compose-"));
  const all = `root=$2; settings=(env); say() { printf "%s\\n" "$@" >&2; }; . "$0/compose.sh"; scratch=$1; cd "$2"; ${script}`;
  const told = spawnSync("bash", ["--norc", "-euc", all, here, folder, join(here, "../../..")], { encoding: "utf8" });
  return { folder, remove: () => rmSync(folder, { recursive: true }), ...told };
}

test("Where the script is killed, what looks after it takes the project down", async (t) => {
  const { folder, remove, signal } = withCompose(
    `leave_compose() { echo "$project" >"$scratch/left"; }; project=mine; watch_over; kill -KILL $$`,
  );
  t.after(remove);
  assert.equal(signal, "SIGKILL");
  await eventually("the project is left", () => existsSync(join(folder, "left")) || undefined);
  assert.equal(await eventually("its name", () => readFileSync(join(folder, "left"), "utf8") || undefined), "mine\n");
});

test("What the load prints is read to its end, also when nobody reads it any more", (t) => {
  const { stdout, stderr, status, remove } = withCompose(
    `{ yes | head -c 300000; echo whole >"$scratch/end"; } | { pass_on; cat "$scratch/end" >&2; } | head -n 1`,
  );
  t.after(remove);
  assert.deepEqual([status, stdout, stderr], [0, "y\n", "whole\n"]);
});

test("The page of a folder anywhere is read in a container and written outside; what cannot be is said", (t) => {
  const report = (words: string) =>
    withCompose(`
      refuse() { say "$*"; exit 2; }; called_from=$scratch; mkdir -p "$scratch/mine" "$scratch/a:b"
      cli_compose() { echo "$*, with $reports_mount"; }
      write_page() { reports_mount=$1 cli_compose report --html "$2" >"$3"; }
      report_compose ${words}`);
  const pageOf = (folder: string) => `report --html ${folder}/mine, with ${folder}/mine\n`;
  const written = report("mine");
  t.after(written.remove);
  assert.equal(written.stdout, `${written.folder}/mine/report.html\n`, written.stderr);
  assert.equal(readFileSync(join(written.folder, "mine", "report.html"), "utf8"), pageOf(written.folder));
  const printed = report("--html mine");
  t.after(printed.remove);
  assert.equal(printed.stdout, pageOf(printed.folder), printed.stderr);
  for (const [words, said] of [
    ["other", /^There is no folder other\.$/m],
    ["mine other", /^report takes one folder, not mine and other\.$/m],
    ["a:b", /a:b: Docker takes a colon/],
    ["mine --json", /has no --json.*WORLD=process/],
  ] as const) {
    const refused = report(words);
    t.after(refused.remove);
    assert.equal(refused.status, 2, words);
    assert.match(refused.stderr, said);
  }
});

test("What services in containers warn of is said in the words that it is said in of processes", (t) => {
  const line = (level: number, msg: string, more = {}) => JSON.stringify({ level, service: "api", ...more, msg });
  const lines = [
    line(30, "listening"),
    line(40, "spans do not arrive", { reason: "ECONNREFUSED", url: "http://a/" }),
    line(40, "spans do not arrive", { reason: "ECONNREFUSED", url: "http://b/" }),
    line(50, "broken", { said: 'by "nobody"' }),
    "not JSON",
    ...Array.from({ length: 40 }, (_, n) => line(40, `${n} ${"x".repeat(1000)}`)),
  ];
  const wanted: string[] = [];
  sayingWarnings((text) => wanted.push(text))(lines.join("\n"));
  const log = `${lines.join("\n")}\n`.replaceAll("'", "");
  const { stderr, remove } = withCompose(
    `docker() { case $1 in ps) echo one ;; logs) printf '%s' '${log}' ;; esac; }; project=mine; tell_warnings`,
  );
  t.after(remove);
  assert.deepEqual(stderr.replaceAll('\\"', '"').trimEnd().split("\n"), wanted);
});

test("Programs of another user than root read copies of root's files, whatever its umask", (t) => {
  const asRoot = (more: string) =>
    withCompose(`id() { echo 0; }; docker() { ${more}; }; chown() { echo "$@"; }; set_user; echo "$run_as $shared"`);
  const plain = asRoot(":");
  t.after(plain.remove);
  const shared = join(plain.folder, "shared");
  assert.equal(plain.stdout, `-R 1000:1000 ${shared}\n1000:1000 ${shared}\n`, plain.stderr);
  for (const path of ["policies/naive.env", "grafana/prometheus.yml"]) assert.ok(existsSync(join(shared, path)), path);
  const rootless = asRoot("echo name=rootless");
  t.after(rootless.remove);
  assert.match(rootless.stdout, /^0:0 /);
  assert.equal(existsSync(join(rootless.folder, "shared")), false);
});
