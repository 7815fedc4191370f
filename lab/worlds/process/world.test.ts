/** The process world as a user meets it: the real programs, over loopback, shortened. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { eventually, isAlive, startLab, temporaryFolder, wholeRun, type Lab } from "./testdata/lab-process.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

const startRun = (t: TestContext, settings: Record<string, string>): Lab => startLab(t, ["run"], settings);

/**
 * Short, with so little capacity that the storm does not take its time to build up, and with so little load that services
 * bear it which have a tenth of a core: they yield to whatever else a busy machine is at.
 */
const SHORT = { DURATION_S: "3", WARMUP_S: "0", SEED: "1", RATE: "8", CAPACITY: "6" };
const REQUESTS = 24;
/** One that is stopped in its midst; with so little load that a busy machine, too, comes to a first record. */
const LONG = { ...SHORT, DURATION_S: "60" };

/** All processes of a running lab, once the load is among them. */
async function processesOf(lab: Lab): Promise<number[]> {
  await lab.child("lab/worlds/load/main");
  return lab.children().map(({ pid }) => pid);
}

/** What the run has written of its records so far. */
function recordsOf({ reports }: Lab): string {
  const files = readdirSync(reports).map((run) => join(reports, run, "records.ndjson"));
  return files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("");
}

function assertNothingLeft(pids: readonly number[]): void {
  assert.deepEqual(pids.filter(isAlive), []);
}

describe("A run in the process world", { concurrency: 1 }, () => {
  test("The naive policy makes a storm, the budgeted one does not, and both tell the same story of every call", async (t) => {
    const runs = [];
    for (const POLICY of ["naive", "budgeted"]) {
      const { code, summary } = await wholeRun(t, { ...SHORT, POLICY });
      assert.equal(code, summary.valid ? 0 : 1, "the exit code says whether the run is valid");
      assert.equal(summary.world, "process");
      assert.equal(summary.policy, POLICY);
      runs.push(summary);
    }
    const [naive, budgeted] = runs;
    assert.ok(naive && budgeted);
    assert.equal(naive.clientRequests, REQUESTS);
    assert.ok(measured(naive.amplification) > 2 && measured(naive.amplification) <= 9, `naive: ${naive.amplification}`);
    assert.ok(measured(budgeted.amplification) < 1.8, `budgeted: ${budgeted.amplification}`);
  });

  test("Wrong settings are all named, and nothing is started", async (t) => {
    const reports = join(temporaryFolder(t), "none");
    const lab = startRun(t, { RATE: "fast", SEED: "-x", RTAE: "60", REPORTS_DIR: reports });
    const { code, stdout, stderr } = await lab.finished;
    assert.equal(code, 2);
    assert.equal(stdout, "");
    for (const name of ["RATE", "SEED", "RTAE"]) assert.match(stderr, new RegExp(`\\b${name}\\b`));
    assert.equal(existsSync(reports), false);
  });

  test("A folder that cannot hold reports is named before anything is started", async (t) => {
    const file = join(temporaryFolder(t), "file");
    writeFileSync(file, "");
    const lab = startRun(t, { REPORTS_DIR: join(file, "reports") });
    const { code, stdout, stderr } = await lab.finished;
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /REPORTS_DIR=.*cannot be written to/);
  });

  test("A backend that is killed ends the run as failed, with its last words, and nothing stays", async (t) => {
    const lab = startRun(t, { ...LONG, LOG_LEVEL: "info" });
    const pids = await processesOf(lab);
    const backend = await lab.child("services/backend/main");
    process.kill(backend.pid, "SIGKILL");
    const { code, stderr } = await lab.finished;
    assert.equal(code, 1);
    assert.match(stderr, /backend ended by itself \(signal SIGKILL\)\. Its last lines:\n {2}\{.*listening/);
    assert.equal(pids.length, 4);
    assertNothingLeft(pids);
  });

  test("A load that is killed is named, since it cannot say anything itself", async (t) => {
    const lab = startRun(t, LONG);
    const pids = await processesOf(lab);
    process.kill((await lab.child("lab/worlds/load/main")).pid, "SIGKILL");
    const { code, stderr } = await lab.finished;
    assert.equal(code, 1);
    assert.match(stderr, /The load was ended by SIGKILL, .* this run has no summary\. Its records .* are in .*lab-/);
    assertNothingLeft(pids);
  });

  test("A run whose readers have gone goes on to its end and leaves all of its report", async (t) => {
    const lab = startRun(t, { ...SHORT, DURATION_S: "6" });
    lab.process.stdout?.destroy();
    lab.process.stderr?.destroy();
    const { code } = await lab.finished;
    const [summary] = lab.summaries();
    assert.equal(code, summary?.valid ? 0 : 1);
    assert.equal(existsSync(join(lab.reports, readdirSync(lab.reports)[0] ?? "", "report.html")), true);
  });

  test("Two labs side by side take no notice of each other", async (t) => {
    const pids: number[] = [];
    const noted = async (lab: Lab): Promise<void> => void pids.push(...(await processesOf(lab)));
    const policies = ["naive", "budgeted"];
    const both = await Promise.all(policies.map((POLICY) => wholeRun(t, { ...SHORT, POLICY }, noted)));
    assert.deepEqual(
      both.map(({ summary }) => [summary.policy, summary.clientRequests]),
      policies.map((policy) => [policy, REQUESTS]),
    );
    assert.ok(pids.length >= 8);
    assert.equal(new Set(pids).size, pids.length);
    assertNothingLeft(pids);
  });
});

describe("Ctrl-C leaves nothing behind", { concurrency: 1 }, () => {
  test("while the chain starts", async (t) => {
    const lab = startRun(t, SHORT);
    await lab.child("services/backend/main");
    lab.process.kill("SIGINT");
    const pids = lab.children().map(({ pid }) => pid);
    const { code } = await lab.finished;
    assert.equal(code, 1);
    assertNothingLeft(pids);
    assert.deepEqual(readdirSync(lab.reports), []);
  });

  test("while the load runs; what was measured is kept, and marked", async (t) => {
    const lab = startRun(t, LONG);
    const pids = await processesOf(lab);
    await eventually("the first record", () => recordsOf(lab) || undefined);
    lab.process.kill("SIGINT");
    const { code } = await lab.finished;
    assert.equal(code, 1);
    assert.equal(lab.summaries()[0]?.valid, false);
    assertNothingLeft(pids);
  });

  test("while a service is frozen; what was measured until then is kept", async (t) => {
    const lab = startRun(t, LONG);
    const pids = await processesOf(lab);
    await eventually("the first record", () => recordsOf(lab) || undefined);
    process.kill((await lab.child("services/api/main")).pid, "SIGSTOP");
    lab.process.kill("SIGINT");
    const { code, stderr } = await lab.finished;
    assert.equal(code, 1);
    assert.equal(lab.summaries()[0]?.valid, false, stderr);
    assertNothingLeft(pids);
  });

  test("also where nobody reads any more what it prints; what was measured is kept", async (t) => {
    const lab = startRun(t, LONG);
    const pids = await processesOf(lab);
    await eventually("the first record", () => recordsOf(lab) || undefined);
    lab.process.stdout?.destroy();
    lab.process.stderr?.destroy();
    lab.process.kill("SIGHUP");
    assert.equal((await lab.finished).code, 1);
    assert.equal(lab.summaries()[0]?.valid, false);
    assertNothingLeft(pids);
  });

  test("while the chain is taken down", async (t) => {
    const lab = startRun(t, { ...SHORT, DURATION_S: "1" });
    const pids = await processesOf(lab);
    const load = await lab.child("lab/worlds/load/main");
    await eventually("the end of the load", () => (isAlive(load.pid) ? undefined : true));
    lab.process.kill("SIGINT");
    await lab.finished;
    assertNothingLeft(pids);
  });

  test("and where the lab itself is killed, its services end when they notice", async (t) => {
    const lab = startRun(t, LONG);
    const pids = await processesOf(lab);
    const load = await lab.child("lab/worlds/load/main");
    lab.process.kill("SIGKILL");
    const services = pids.filter((pid) => pid !== load.pid);
    await eventually("the end of the services", () => (services.some(isAlive) ? undefined : true));
    await eventually("the end of the load", () => (isAlive(load.pid) ? undefined : true));
  });
});
