import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ReportError } from "../report/data/read-summaries.ts";
import { resolveEnvironment } from "../../services/settings/resolve.ts";
import { runVirtually } from "../worlds/virtual/world.ts";
import { traceCommand } from "./command.ts";
import type { Trace } from "./text.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const reportsDir = mkdtempSync(join(tmpdir(), "trace-command-"));
after(() => rmSync(reportsDir, { recursive: true, force: true }));

let made = "";

before(async () => {
  const explicit = { WORLD: "virtual", DURATION_S: "3", REPORTS_DIR: reportsDir };
  const { env } = resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient: {} } });
  const world = { env, ambient: {}, loadArguments: [], stop: new AbortController().signal };
  const outlets = { print: () => {}, render: async () => undefined };
  await runVirtually({ ...world, onKill: () => {}, say: () => {} }, outlets);
  made = join(reportsDir, readdirSync(reportsDir)[0] ?? "");
});

async function trace(id: string, folder?: string, json = false, said: string[] = []): Promise<string> {
  const printed: string[] = [];
  await traceCommand({
    id,
    folder,
    reportsDir,
    json,
    print: (text) => printed.push(text),
    say: (text) => said.push(text),
  });
  return printed.join("\n");
}

/** A copy of the run, with some of it changed. */
function changed(name: string, change: (read: (file: string) => string, dir: string) => void): string {
  const dir = join(mkdtempSync(join(tmpdir(), "trace-changed-")), name);
  after(() => rmSync(join(dir, ".."), { recursive: true, force: true }));
  cpSync(made, dir, { recursive: true });
  change((file) => readFileSync(join(dir, file), "utf8"), dir);
  return dir;
}

const refuses = (id: string, folder: string, message: RegExp): Promise<void> =>
  assert.rejects(trace(id, folder), (error) => error instanceof ReportError && message.test(error.message));

test("a request of the latest run is made again and ends as it was recorded", async () => {
  const text = await trace("s1-17");
  assert.match(text, /^s1-17 {2}GET, due 283\.3 ms after the start; /u);
  assert.match(text, /ends as it was recorded/u);
  assert.match(text, /^├─ edge#1 |^└─ edge#1 /mu);
  assert.match(text, /─ backend /u);
});

test("--json prints the same for programs", async () => {
  const { recorded, record, root: edge, world } = JSON.parse(await trace("s1-17", made, true)) as Trace;
  assert.equal(world, "virtual");
  assert.deepEqual(record, recorded);
  assert.equal(edge?.attempts.length, recorded.attempts);
});

test("a run over HTTP is said to be replayed, with what was measured beside it", async () => {
  const overHttp = changed("http", (read, dir) => {
    writeFileSync(join(dir, "summary.json"), read("summary.json").replace('"virtual"', '"process"'));
    writeFileSync(join(dir, "records.ndjson"), read("records.ndjson").replaceAll('"latencyMs":', '"latencyMs":1'));
  });
  const text = await trace("s1-17", overHttp);
  assert.match(text, /^A replay in virtual time: the run itself was over HTTP/mu);
  assert.match(text, /^ {2}over HTTP {2}\w+ .*after 1\d+\.\d ms/mu);
  assert.match(text, /^ {2}replayed +\w+ /mu);
});

test("a virtual run that ends otherwise than recorded says so", async () => {
  const other = changed("other", (read, dir) => {
    const slower = read("effective.env").replace(/^LATENCY_MS=8$/mu, "LATENCY_MS=90");
    writeFileSync(join(dir, "effective.env"), slower);
  });
  assert.match(await trace("s1-0", other), /does NOT end as it was recorded/u);
});

test("an id that the run does not have is named, with one that it has", async () => {
  await refuses("order-17", made, /records\.ndjson has no request with the id "order-17"\. .*s1-\d+/u);
});

test("of runs that were made together the latest is taken, and how to see another is said", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trace-several-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["a", "b", "c"]) cpSync(made, join(folder, name), { recursive: true });
  const now = new Date();
  utimesSync(join(folder, "b", "summary.json"), now, new Date(now.getTime() + 60_000));
  const said: string[] = [];
  const text = await trace("s1-17", folder, true, said);
  assert.equal((JSON.parse(text) as Trace).folder, join(folder, "b"));
  assert.match(said.join("\n"), /^Of 3 runs in .* the latest\. Name another .*:\n {2}.*\/a\n {2}.*\/c$/u);
});

test("a folder without a run, and a run without its settings, are named", async () => {
  const empty = mkdtempSync(join(tmpdir(), "trace-empty-"));
  after(() => rmSync(empty, { recursive: true, force: true }));
  await refuses("s1-17", empty, /summary\.json cannot be read/u);
  const bare = changed("bare", (_, dir) => rmSync(join(dir, "effective.env")));
  await refuses("s1-17", bare, /effective\.env is not there/u);
});

test("settings that cannot be replayed are refused with the reason", async () => {
  const withLine = (line: string, name: string) =>
    changed(name, (read, dir) => {
      const [knob = ""] = line.split("=");
      const text = read("effective.env").replace(new RegExp(`^${knob}=.*$`, "mu"), line);
      writeFileSync(join(dir, "effective.env"), text);
    });
  await refuses("s1-17", withLine("LOAD=closed", "closed"), /LOAD=closed.*cannot be made again/u);
  await refuses("s1-17", withLine("RATE=fast", "fast"), /effective\.env holds settings .*\n {2}RATE/u);
});
