/** The load program as its user meets it: a process with arguments, an environment, signals and an exit code. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeArguments } from "../../../services/real-time/node-arguments.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { standIn, type StandIn } from "../../../loadgen/testdata/chain.ts";

interface Load {
  readonly process: ChildProcess;
  readonly reports: string;
  readonly finished: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** What stands in for a full disk: no file of the program can become larger than 32 KiB (64 blocks). */
const SMALL_DISK = ["sh", "-c", 'ulimit -f 64; exec "$@"', "load"];

/** @param before words of a command that starts the program */
function startLoad(
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  before: readonly string[] = [],
): Load {
  const reports = mkdtempSync(join(tmpdir(), "load-"));
  t.after(() => rmSync(reports, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"], REPORTS_DIR: reports, WARMUP_S: "0", ...settings };
  const [command = "", ...rest] = [...before, process.execPath, ...nodeArguments("lab/worlds/load/main"), ...words];
  const child = spawn(command, rest, { env });
  t.after(() => child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const finished = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { process: child, reports, finished };
}

function summaryIn(reports: string): RunSummary {
  const [run] = readdirSync(reports);
  return JSON.parse(readFileSync(join(reports, run ?? "", "summary.json"), "utf8")) as RunSummary;
}

/** Resolves when the tier has seen `count` orders. */
async function ordersAt({ paths }: StandIn, count: number): Promise<void> {
  for (let round = 0; paths.length < count; round += 1) {
    assert.ok(round < 2000, "waited 40 s in vain for orders");
    await sleep(20);
  }
}

test("Wrong arguments, a missing CHAIN and wrong settings are all named at once, and nothing is sent", async (t) => {
  const { reports, finished } = startLoad(t, { RATE: "fast", SEED: "-x" }, ["--jsno", "-v"]);
  const { code, stdout, stderr } = await finished;
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^load: the settings are wrong, nothing was sent:\n/);
  for (const fault of [/^ {2}--jsno -v: unknown/m, /^ {2}CHAIN must name/m, /\bRATE\b/, /\bSEED\b/])
    assert.match(stderr, fault);
  assert.deepEqual(readdirSync(reports), []);
});

test("With --json the result on stdout is the summary that lies in the report, and nothing else", async (t) => {
  const tier = await standIn(t);
  const settings = { CHAIN: tier.chain, RATE: "50", DURATION_S: "1" };
  const { reports, finished } = startLoad(t, settings, ["--json"]);
  const { code, stdout, stderr } = await finished;
  const summary = summaryIn(reports);
  assert.deepEqual(JSON.parse(stdout), summary, stderr);
  assert.equal(summary.clientRequests, 50);
  assert.equal(code, summary.valid ? 0 : 1);
});

test("One Ctrl-C that arrives twice keeps what was measured: summary, report, exit code 1", async (t) => {
  const tier = await standIn(t);
  const load = startLoad(t, { CHAIN: tier.chain, RATE: "50", DURATION_S: "60" });
  await ordersAt(tier, 20);
  load.process.kill("SIGINT");
  load.process.kill("SIGTERM");
  const { code, stdout, stderr } = await load.finished;
  assert.equal(code, 1, stderr);
  assert.match(stdout, /\nINVALID\n {2}- it was interrupted/);
  assert.equal(stderr.match(/Stopping/g)?.length, 1);
  const { valid, clientRequests } = summaryIn(load.reports);
  assert.equal(valid, false);
  assert.ok(clientRequests >= 20 && clientRequests < 3000, String(clientRequests));
});

test("A second Ctrl-C half a second later exits at once, even while a tier that hangs is waited for", async (t) => {
  const tier = await standIn(t);
  const load = startLoad(t, { CHAIN: tier.chain, RATE: "50", DURATION_S: "60" });
  await ordersAt(tier, 20);
  tier.hang();
  // Pressed until it ends: on a busy machine it may hear of the first one late.
  const pressing = new AbortController();
  void load.finished.then(() => pressing.abort());
  while (!pressing.signal.aborted) {
    load.process.kill("SIGINT");
    await sleep(700, undefined, { signal: pressing.signal }).catch(() => {});
  }
  const { code, stdout } = await load.finished;
  assert.deepEqual([code, stdout], [1, ""]);
});

test("A disk that fills while the run goes on: the summary is printed, REPORTS_DIR is named, and the exit code is 1", async (t) => {
  const tier = await standIn(t);
  const settings = { CHAIN: tier.chain, RATE: "200", DURATION_S: "2" };
  const { reports, finished } = startLoad(t, settings, [], SMALL_DISK);
  const { code, stdout, stderr } = await finished;
  assert.equal(code, 1, stderr);
  assert.match(stdout, /AMPLIFICATION/);
  assert.match(stdout, /400 of 400 requests/);
  assert.doesNotMatch(stdout, /^report:/m);
  assert.match(stderr, /^load: REPORTS_DIR=.* cannot be written to: .*The result above is not saved\.$/m);
  const folder = join(reports, readdirSync(reports)[0] ?? "");
  assert.equal(statSync(join(folder, "records.ndjson")).size, 32 * 1024);
  assert.deepEqual(
    readdirSync(folder).filter((file) => file.endsWith(".tmp")),
    [],
  );
});
