/** bin/lab with a stand-in for Node, which says how it was started. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { filesUnder } from "../toolchain/files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOOR = join(ROOT, "bin", "lab");

const bin = mkdtempSync(join(tmpdir(), "door-"));
after(() => rmSync(bin, { recursive: true }));
writeFileSync(
  join(bin, "node"),
  `#!/bin/bash\nif [ -n "$NODE_DOES" ]; then eval "$NODE_DOES"; fi\nenv; echo "ARGS=$*"\n`,
  {
    mode: 0o755,
  },
);
const SURROUNDINGS = { PATH: `${bin}:${process.env["PATH"]}`, WORLD: "process" };

interface Start {
  readonly door?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What bin/lab gives to Node as its environment, and as ARGS its arguments. */
function started(words: readonly string[], { door = DOOR, cwd = ROOT, env = {} }: Start = {}): Map<string, string> {
  const { stdout, stderr } = spawnSync(door, words, { cwd, encoding: "utf8", env: { ...SURROUNDINGS, ...env } });
  assert.equal(stderr, "");
  const pairs = stdout.split("\n").map((line): [string, string] => {
    const [name = "", ...value] = line.split("=");
    return [name, value.join("=")];
  });
  return new Map(pairs);
}

/** All names that the shell's part of the lab gives a value to. */
function ownNames(): string[] {
  const files = ["bin/lab", ...filesUnder(join(ROOT, "lab")).map((path) => `lab/${path}`)];
  const scripts = files.filter((path) => path === "bin/lab" || path.endsWith(".sh"));
  const text = scripts.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
  const assigned = [...text.matchAll(/(?<![\w$-])([a-z_]+)\+?=/g)].map(([, name = ""]) => name);
  const declared = [...text.matchAll(/\b(?:local|for|read -r -a) ([a-z_ ]+)/g)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  return [...new Set([...assigned, ...declared])].filter((name) => name !== "" && name !== "_");
}

test("No word behind bin/lab becomes a variable of its own, or of what it starts: only its name is handed on", () => {
  const own = ownNames();
  for (const name of ["verb", "landing", "root", "image", "settings", "given", "scratch", "world"])
    assert.ok(own.includes(name), name);
  const names = [...own, "PATH", "IFS", "UID", "HOME", "BASH_ENV", "LD_PRELOAD", "NODE_OPTIONS", "CDPATH"];
  const words = names.map((name) => `${name}=/nowhere`);
  const node = started(["resolve", ...words, "RATE=5"]);
  assert.equal(node.get("ARGS"), "lab/worlds/process/prepare.cjs lab resolve");
  assert.deepEqual(node.get("LAB_OVERRIDES")?.trim().split(" "), [...names, "RATE"]);
  assert.equal(node.get("RATE"), "5");
  assert.deepEqual(
    [...node].filter(([, value]) => value === "/nowhere"),
    [],
  );
});

test("Variables that a shell has exported are not taken for bin/lab's own", () => {
  const env = Object.fromEntries(ownNames().map((name) => [name, "/nowhere"]));
  const [poisoned, clean] = [env, {}].map((more) => started(["resolve", "--json"], { env: more }));
  for (const name of ["ARGS", "LAB_OVERRIDES", "LAB_FROM", "WORLD", "PATH"])
    assert.equal(poisoned?.get(name), clean?.get(name), name);
});

test("A setting that is known, also behind a tier's name, and OpenTelemetry's own reach the lab with their values", () => {
  const value = `a b'c"d $e \\ = * ;`;
  const node = started(["sweep", `SCENARIO=${value}`, "EDGE_MAX_ATTEMPTS=2", "OTEL_SERVICE_NAME=shop"]);
  assert.deepEqual(
    ["SCENARIO", "EDGE_MAX_ATTEMPTS", "OTEL_SERVICE_NAME"].map((name) => node.get(name)),
    [value, "2", "shop"],
  );
});

test("A word that a verb of the shell does not know is refused before anything is started", () => {
  for (const verb of ["demo", "break", "test", "run", "up", "dash", "down", "check", "bench", "clean"]) {
    const told = spawnSync(DOOR, [verb, "--nonsense"], { encoding: "utf8", env: SURROUNDINGS });
    assert.deepEqual([told.status, told.stdout], [2, ""], verb);
    assert.match(told.stderr, new RegExp(`^"${verb}" knows no --nonsense\\. It takes settings`), verb);
  }
});

test("It works from any folder, through links, and with CDPATH exported; a typed folder is the caller's", () => {
  symlinkSync(DOOR, join(bin, "second"));
  symlinkSync("second", join(bin, "first"));
  for (const door of ["./first", DOOR, "first"]) {
    const node = started(["resolve", "REPORTS_DIR=out"], { door, cwd: bin, env: { CDPATH: `/:${ROOT}` } });
    assert.equal(node.get("LAB_FROM"), bin, door);
    assert.equal(node.get("REPORTS_DIR"), join(bin, "out"), door);
    assert.equal(node.get("PWD"), ROOT.replace(/\/+$/, ""), door);
  }
  assert.equal(started(["resolve", "REPORTS_DIR=out"]).get("REPORTS_DIR"), "out");
});

test("Podman that calls itself docker is named as the reason for another world", () => {
  writeFileSync(join(bin, "docker"), "#!/bin/sh\necho 'podman version 4.9.3'\n", { mode: 0o755 });
  const env = { ...SURROUNDINGS, WORLD: "auto" };
  const auto = spawnSync(DOOR, ["break"], { encoding: "utf8", env });
  assert.equal(auto.stderr, `World: local processes ("docker" is Podman here, and a Docker engine is needed).\n`);
  const compose = spawnSync(DOOR, ["break", "WORLD=compose"], { encoding: "utf8", env });
  assert.equal(compose.status, 1);
  assert.match(compose.stderr, /^WORLD=compose, but "docker" is Podman here/);
  rmSync(join(bin, "docker"));
});

/** bin/lab in a process group of its own, as a terminal gives each command. */
function startDoor(words: readonly string[], NODE_DOES: string) {
  const child = spawn(DOOR, words, { detached: true, env: { ...SURROUNDINGS, NODE_DOES } });
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said.text += text));
  const { pid } = child;
  assert.ok(pid !== undefined);
  return { child, pid, said, ended: once(child, "close").then(([code]) => code as number | null) };
}

test("A signal at any moment of the start ends it with 1, and bash has nothing to complain of", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    for (let ms = 4; ms < 100; ms += 8) {
      const { pid, said, ended } = startDoor(["run"], "trap 'exit 1' INT TERM; sleep 20 & wait; exit 0");
      await new Promise((resolve) => setTimeout(resolve, ms));
      process.kill(-pid, signal);
      const code = await ended;
      // Before bash has read its first line the signal is the kernel's to answer.
      if (code === null && said.text === "") continue;
      assert.deepEqual([code, said.text.replace(/^World: .*\n/, "")], [1, ""], `${signal} after ${ms} ms`);
    }
  }
});

test("A signal that did not reach the program, as one between bash's fork and the program's start, is handed on again", async () => {
  const deaf = "n=0; trap 'n=$((n + 1)); [ $n -lt 2 ] || exit 1' TERM; echo ready; sleep 20 & wait; wait; exit 0";
  const { child, pid, ended } = startDoor(["run"], deaf);
  await once(child.stdout, "data");
  process.kill(pid, "SIGTERM");
  assert.equal(await ended, 1);
});

test("Where its readers have gone, it goes on to the end with the exit code of the run", async () => {
  const { child, ended } = startDoor(["run"], "sleep 0.3; exit 3");
  child.stdout.destroy();
  child.stderr.destroy();
  assert.equal(await ended, 3);
});
