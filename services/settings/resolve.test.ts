import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ConfigError, readValues } from "./values.ts";
import { policyNames } from "./policy-files.ts";
import { resolveEnvironment } from "./resolve.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "resolve-"));
after(() => rmSync(folder, { recursive: true }));

type Settings = Readonly<Record<string, string>>;

/** A project with these files; policies/naive.env is there in any case. */
function projectWith(files: Settings): string {
  const root = mkdtempSync(join(folder, "project-"));
  mkdirSync(join(root, "policies"));
  for (const [path, text] of Object.entries({ "policies/naive.env": "MAX_ATTEMPTS=3\n", ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function resolve(root: string, explicit: Settings = {}, ambient: Settings = {}): Record<string, string> {
  return resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient } }).env;
}

function problemsOf(root: string, explicit: Settings = {}, ambient: Settings = {}): readonly string[] {
  try {
    resolve(root, explicit, ambient);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("Each source wins over the one before it: default, .env, policy, environment, command line", () => {
  const root = projectWith({
    ".env": "WARMUP_S=2\nMAX_ATTEMPTS=2\nBACKOFF_BASE_MS=2\nCAPACITY=2\nRATE=2\n",
    "policies/mine.env": "MAX_ATTEMPTS=3\nBACKOFF_BASE_MS=3\nCAPACITY=3\nRATE=3\n",
  });
  const env = resolve(
    root,
    { POLICY: "mine", RATE: "5" },
    { BACKOFF_BASE_MS: "4", RATE: "4", CAPACITY: "4", PATH: "/bin" },
  );
  const { DRAIN_S, WARMUP_S, MAX_ATTEMPTS, CAPACITY, BACKOFF_BASE_MS, RATE, POLICY } = env;
  assert.deepEqual(
    { DRAIN_S, WARMUP_S, MAX_ATTEMPTS, CAPACITY, BACKOFF_BASE_MS, RATE, POLICY },
    {
      DRAIN_S: "15",
      WARMUP_S: "2",
      MAX_ATTEMPTS: "3",
      CAPACITY: "4",
      BACKOFF_BASE_MS: "4",
      RATE: "5",
      POLICY: "mine",
    },
  );
  assert.equal(env["PATH"], undefined);
});

test("The environment that comes out is one that every program accepts as it is", () => {
  for (const name of policyNames(repository)) {
    const env = resolve(repository, { POLICY: name });
    assert.deepEqual(readValues(env).effective(), env);
  }
});

test("The policies of this repository fit chains of other hops, too, and can be overridden", () => {
  for (const POLICY of ["naive", "budgeted", "owner"]) {
    for (const TIERS of ["edge,api", "gateway,edge,api", "api", "edge", "front,middle,back"]) {
      assert.deepEqual(problemsOf(repository, { POLICY, TIERS }), [], `${POLICY} ${TIERS}`);
    }
    assert.deepEqual(problemsOf(repository, { POLICY, BUDGET: "none", BACKOFF: "none", MAX_ATTEMPTS: "1" }), []);
  }
});

test("An empty policy is the naive one", () => {
  const root = projectWith({ "policies/mine.env": "" });
  assert.deepEqual(resolve(root, { POLICY: "mine" }), {
    ...resolve(repository, { POLICY: "naive" }),
    POLICY: "mine",
  });
});

test("The policy may be named by the environment or by .env", () => {
  const root = projectWith({ ".env": "POLICY=mine\n", "policies/mine.env": "", "policies/other.env": "" });
  assert.equal(resolve(root)["POLICY"], "mine");
  assert.equal(resolve(root, {}, { POLICY: "other" })["POLICY"], "other");
  assert.equal(resolve(root, { POLICY: "naive" }, { POLICY: "other" })["POLICY"], "naive");
});

test("A policy that is not there is refused once, and those that are there are named", () => {
  const root = projectWith({ "policies/mine.env": "", "policies/notes.txt": "" });
  for (const POLICY of ["yours", "../policies/mine", "..", "", "mine.env", "a/b", "/etc/passwd", "a\0b"]) {
    assert.deepEqual(problemsOf(root, { POLICY }), [
      `POLICY=${JSON.stringify(POLICY)}: it must be the name of a file in policies/, without ".env". There are: mine, naive.`,
    ]);
  }
});

test("A link to a policy that has gone is refused, and not listed among those that are there", () => {
  const root = projectWith({});
  symlinkSync("gone.env", join(root, "policies", "mine.env"));
  assert.deepEqual(problemsOf(root, { POLICY: "mine" }), [
    'POLICY="mine": it must be the name of a file in policies/, without ".env". There are: naive.',
  ]);
});

test("A policy of the catalogue is named with its folder, is listed with the others, and leads nowhere else", () => {
  const root = projectWith({ "policies/production/mesh.env": "MAX_ATTEMPTS=2\n", "policies/secret/own.env": "" });
  assert.equal(resolve(root, { POLICY: "production/mesh" })["MAX_ATTEMPTS"], "2");
  const tricks = ["production/", "production/..", "production/../naive", "production/../../x", "production//mesh"];
  for (const POLICY of ["mesh", "secret/own", "production", "production/mesh/x", ...tricks]) {
    assert.deepEqual(problemsOf(root, { POLICY }), [
      `POLICY=${JSON.stringify(POLICY)}: it must be the name of a file in policies/, without ".env". There are: naive, production/mesh.`,
    ]);
  }
});

test("A project without policies says so", () => {
  const root = mkdtempSync(join(folder, "bare-"));
  assert.match(problemsOf(root).join(), /There are: none yet\./);
});

test("A folder in place of a policy's file cannot be read, and is a fault with its path", () => {
  const root = projectWith({});
  mkdirSync(join(root, "policies/mine.env"));
  assert.match(problemsOf(root, { POLICY: "mine" }).join(), /^policies\/mine\.env cannot be read: /);
});

test("All faults of all sources are told at once, each with its place", () => {
  const root = projectWith({
    ".env": "RATE\nSEED=x\n",
    "policies/mine.env": "# mine\nMAX_ATTEMPTS=0\nFOO=1\nPOLICY=naive\nSEED=1\n",
  });
  assert.deepEqual(problemsOf(root, { POLICY: "mine", RAET: "1", SEED: "1.5" }, { CAPACITY: "-1", PORT: "no" }), [
    '.env line 1: "RATE" must read NAME=value, or begin with "#".',
    "policies/mine.env line 4: POLICY cannot be set here: it names this very file. Leave it out.",
    "policies/mine.env line 3: FOO is not a setting. .env.example lists them all.",
    "RAET is not a setting. Did you mean RATE?",
    'SEED="1.5": it must be a whole number, 0 to 4294967295 (32 bits).',
    'policies/mine.env line 2: MAX_ATTEMPTS="0": it must be a whole number, 1 to 100 attempts.',
    'the environment: CAPACITY="-1": it must be a number, 0.001 to 100000 calls per second.',
  ]);
});

test("A contradiction between two sources says where each setting stands", () => {
  const root = projectWith({ "policies/mine.env": "BACKOFF=full\nBACKOFF_CAP_MS=40\n" });
  assert.deepEqual(problemsOf(root, { POLICY: "mine", BACKOFF_BASE_MS: "50" }), [
    "BACKOFF_BASE_MS=50 does not go with BACKOFF_CAP_MS=40: the longest wait cannot be below the first. " +
      "[BACKOFF_CAP_MS: policies/mine.env line 2]",
  ]);
});

test("What a shell uses for itself is taken from the command line and from files only", () => {
  const root = projectWith({});
  const shell = { HOST: "workstation", PORT: "3000", LOG_LEVEL: "INFO", UPSTREAM_URL: "x", CHAIN: "x" };
  assert.deepEqual(resolve(root, {}, shell), resolve(root));
  assert.equal(resolve(root, { LOG_LEVEL: "debug" }, shell)["LOG_LEVEL"], "debug");
});

test("An address that is typed is refused, since the lab gives each program its own; one of an earlier run in a file is passed over", () => {
  const addresses = {
    HOST: "0.0.0.0",
    PORT: "8080",
    UPSTREAM_URL: "http://127.0.0.1:1",
    CHAIN: "edge=http://127.0.0.1:1",
  };
  const root = projectWith({
    "policies/mine.env": Object.entries(addresses)
      .map(([name, text]) => `${name}=${text}\n`)
      .join(""),
  });
  assert.deepEqual(problemsOf(root, { POLICY: "mine" }), []);
  assert.deepEqual(
    problemsOf(root, addresses),
    Object.entries(addresses).map(
      ([name, text]) =>
        `${name}="${text}" has no effect here: the lab gives each program an address of its own. Leave it out.`,
    ),
  );
  assert.deepEqual(problemsOf(root, { HOST: "127.0.0.1", PORT: "0", UPSTREAM_URL: "", CHAIN: "" }), []);
});

test("A pipe, a folder or a device in a file's place is told, not waited for", () => {
  const pipe = projectWith({});
  execFileSync("mkfifo", [join(pipe, ".env")]);
  assert.deepEqual(problemsOf(pipe), [".env cannot be read: it is a pipe, not a file."]);
  const inFolder = projectWith({});
  mkdirSync(join(inFolder, "policies", "mine.env"));
  assert.deepEqual(problemsOf(inFolder, { POLICY: "mine" }), [
    "policies/mine.env cannot be read: it is a folder, not a file.",
  ]);
  const device = projectWith({});
  symlinkSync("/dev/zero", join(device, ".env"));
  assert.deepEqual(problemsOf(device), [".env cannot be read: it is a device or a socket, not a file."]);
  const huge = projectWith({ ".env": "#".repeat(5_000_000) });
  assert.deepEqual(problemsOf(huge), [".env cannot be read: it is larger than 4194304 bytes."]);
});

test("A hop and a policy may be called as what every object has", () => {
  const root = projectWith({ "policies/constructor.env": "CONSTRUCTOR_MAX_ATTEMPTS=2\n__proto__=1\n" });
  const chosen = { POLICY: "constructor", TIERS: "constructor,api" };
  assert.deepEqual(problemsOf(root, chosen), [
    "policies/constructor.env line 2: __proto__ is not a setting. .env.example lists them all.",
  ]);
  writeFileSync(join(root, "policies", "constructor.env"), "CONSTRUCTOR_MAX_ATTEMPTS=2\n");
  assert.equal(resolve(root, chosen)["CONSTRUCTOR_MAX_ATTEMPTS"], "2");
  assert.match(problemsOf(root, { POLICY: "toString" })[0] ?? "", /^POLICY="toString": it must be the name of a file/);
});
