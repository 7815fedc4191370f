/**
 * The Compose world for real, shortened: what a user gets from `make` where a Docker engine answers. Run by .ci/run as
 * `node --import tsx lab/worlds/compose/compose.check.ts`; how it ends: testdata/checking.ts.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  beginChecks,
  containers,
  docker,
  endsWith,
  finishedLab,
  startLab,
  whileRunning,
  type ComposeLab,
} from "./testdata/checking.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

beginChecks("The Compose world");
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A run that is INVALID because the machine is busy has still been made. */
const MADE = [0, 1];
/** So little capacity that the storm does not take its time to build up. */
const SHORT = ["DURATION_S=5", "SEED=1", "CAPACITY=50"];

const PROJECT = "com.docker.compose.project";
const label = (id: string, name: string): string =>
  docker("inspect", "--format", `{{index .Config.Labels "${name}"}}`, id);

function assertNothingLeft(): void {
  // Compose 1 puts "_" between the parts of a name, Compose 2 "-".
  assert.deepEqual(containers("--all", "--filter", "name=^rst-[0-9a-f]{8}[_-]"), []);
}

function assertReconciles({ summary }: ComposeLab): void {
  for (const [name, { lost }] of Object.entries(summary().tiers)) assert.equal(lost, 0, name);
}

test("naive multiplies the load; every request is counted, all tiers reconcile, the reports are the caller's", async (t) => {
  const lab = await finishedLab(t, MADE, "break", ...SHORT);
  const { amplification, clientRequests, generator, world } = lab.summary();
  assert.ok(measured(amplification) > 3 && measured(amplification) <= 9, `${amplification}`);
  assertReconciles(lab);
  assert.deepEqual([clientRequests, generator.dropped, world], [300, 0, "compose"]);
  for (const path of ["", ...readdirSync(lab.reports, { recursive: true, encoding: "utf8" })])
    assert.equal(statSync(join(lab.reports, path)).uid, process.getuid?.(), path);
  assertNothingLeft();
  const [run = ""] = readdirSync(lab.reports);
  const page = join(lab.reports, run, "report.html");
  rmSync(page);
  await finishedLab(t, [0], "report", join(lab.reports, run));
  assert.match(readFileSync(page, "utf8"), /^<!doctype html>/);
});

test("budgeted does not", async (t) => {
  const lab = await finishedLab(t, MADE, "test", ...SHORT);
  assert.ok(measured(lab.summary().amplification) < 1.8, `${lab.summary().amplification}`);
  assertReconciles(lab);
  assertNothingLeft();
});

test("Three tiers of three attempts make 27 calls", async (t) => {
  const unhurried = ["GATEWAY", "EDGE", "API"].map((hop) => `${hop}_ATTEMPT_TIMEOUT_MS=off`);
  const load = ["RATE=2", "DURATION_S=4", "ERROR_RATE=1", "CAPACITY=10000"];
  const words = ["POLICY=naive", "TIERS=gateway,edge,api", ...load, ...unhurried];
  const lab = await finishedLab(t, MADE, "run", ...words);
  assert.equal(lab.summary().amplification, 27);
  assertNothingLeft();
});

test("Second copies to another replica are sent and won", async (t) => {
  const slow = ["REPLICAS=2", "SLOW_REPLICA=1", "STRAGGLER_MS=1000", "ATTEMPT_TIMEOUT_MS=off"];
  const load = ["HEDGE=delay", "HEDGE_RATIO=1", "ERROR_RATE=0", "RATE=5", "DURATION_S=4"];
  const lab = await finishedLab(t, MADE, "run", "POLICY=naive", ...slow, ...load);
  const { sent = 0, won = 0 } = lab.summary().tiers["api"]?.hedged ?? {};
  assert.ok(won > 0 && sent >= won, `${sent} sent, ${won} won`);
  assertNothingLeft();
});

test("Bad input: all faults are named, exit 2, nothing is started", async (t) => {
  const lab = await finishedLab(t, [2], "break", "RATE=fast", "RTAE=1");
  assert.match(lab.output(), /\bRATE\b/);
  assert.match(lab.output(), /\bRTAE\b/);
  assert.equal(existsSync(lab.reports), false);
  assertNothingLeft();
});

/** A run in its midst: the warm-up is over, and the first answers are written down. */
async function startLongRun(t: TestContext): Promise<{ lab: ComposeLab; project: string }> {
  const lab = startLab(t, "break", "DURATION_S=120");
  const load = await whileRunning(lab, "the load starts", () => {
    const [id] = containers("--filter", "name=^rst-[0-9a-f]{8}[_-]load[_-]run");
    return id;
  });
  await whileRunning(lab, "the first records come", () => {
    const files = existsSync(lab.reports) ? readdirSync(lab.reports, { recursive: true, encoding: "utf8" }) : [];
    return files.find((path) => path.endsWith("records.ndjson") && statSync(join(lab.reports, path)).size > 0);
  });
  return { lab, project: label(load, PROJECT) };
}

test("Containers are confined; a backend that dies ends the run, is named, and nothing is left", async (t) => {
  const { lab, project } = await startLongRun(t);
  const facts =
    "{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{len .HostConfig.PortBindings}}";
  const all = containers("--filter", `label=${PROJECT}=${project}`);
  assert.equal(all.length, 4);
  for (const id of all) {
    const seen = docker("inspect", "--format", facts, id);
    assert.match(seen, /^[1-9][0-9]*:[0-9]+ true \[ALL\] \[no-new-privileges(:true)?\] 0$/);
  }
  const [backend = ""] = all.filter((id) => label(id, "com.docker.compose.service") === "backend");
  docker("kill", backend);
  await endsWith(lab, [1]);
  assert.match(lab.output(), /service "backend" ended during the run/);
  assertNothingLeft();
});

for (const [signal, whom] of [
  ["SIGTERM", "bin/lab alone"],
  ["SIGINT", "all of a terminal's command"],
] as const) {
  test(`${signal} to ${whom}: exit 1, what was measured is kept as invalid, nothing is left`, async (t) => {
    const { lab } = await startLongRun(t);
    process.kill(signal === "SIGINT" ? -lab.pid : lab.pid, signal);
    await endsWith(lab, [1]);
    assertNothingLeft();
    assert.equal(lab.summary().valid, false);
  });
}

test("Where bin/lab is killed, its project is taken down all the same", async (t) => {
  const { lab, project } = await startLongRun(t);
  process.kill(lab.pid, "SIGKILL");
  const left = () => containers("--all", "--filter", `label=${PROJECT}=${project}`).length;
  for (const until = Date.now() + 60_000; left() > 0 && Date.now() < until;) await sleep(500);
  assert.equal(left(), 0);
});

test("Where nobody reads any more what it prints, the run is made all the same", async (t) => {
  const lab = startLab(t, "test", ...SHORT);
  lab.stopReading();
  await endsWith(lab, MADE);
  assertReconciles(lab);
  assertNothingLeft();
});

test("Two labs side by side have a run of their own each", async (t) => {
  const labs = [1, 2].map((seed) => finishedLab(t, MADE, "test", "DURATION_S=2", `SEED=${seed}`));
  const runs = (await Promise.all(labs)).map((lab) => lab.summary());
  assert.deepEqual(
    runs.map(({ clientRequests, seed }) => [clientRequests, seed]),
    [
      [120, 1],
      [120, 2],
    ],
  );
  assertNothingLeft();
});

test("make up answers on loopback, make down leaves nothing", async (t) => {
  try {
    const up = await finishedLab(t, [0], "up");
    const [, address = ""] = /^ *edge *(http:\/\/127\.0\.0\.1:\d+)$/m.exec(up.output()) ?? [];
    assert.notEqual(address, "", up.output());
    const { headers } = await fetch(`${address}/orders/1`);
    assert.ok(headers.has("x-lab-attempts"));
  } finally {
    await finishedLab(t, [0], "down");
  }
  assert.deepEqual(containers("--all", "--filter", "name=^rst-up-"), []);
});

test("The image is at most 90 MB above its base", () => {
  const script = `root=${ROOT.replace(/\/$/, "")}; . lab/worlds/compose/compose.sh; printf %s "$image"`;
  const image = execFileSync("bash", ["--norc", "-c", script], { cwd: ROOT, encoding: "utf8" });
  const [, base = ""] = /^FROM (\S+) AS build$/m.exec(readFileSync(`${ROOT}/Dockerfile`, "utf8")) ?? [];
  const sizeOf = (name: string): number => Number(docker("image", "inspect", "--format", "{{.Size}}", name));
  const megabytes = (sizeOf(image) - sizeOf(base)) / 1e6;
  assert.ok(megabytes <= 90, `${megabytes} MB`);
});
