/**
 * `make dash` for real: Prometheus beside the chain in Compose, a live switch of the policy, every panel's question, the end.
 * Run by .ci/run as `node --import tsx lab/worlds/compose/dash.check.ts`; how it ends: testdata/checking.ts.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { faultsOf, look } from "../../observe/testdata/panels.ts";
import { prometheusAt, until, type Prometheus } from "../../observe/testdata/prometheus.ts";
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

beginChecks("make dash");
const MARKS = fileURLToPath(new URL("../../../.lab/dash", import.meta.url));

/** So little load that a busy machine bears a storm of it, and less capacity than that. */
const SMALL = ["RATE=20", "CAPACITY=15"];
/** As in grafana/prometheus.yml. */
const SCRAPE_MS = 1000;
/** A storm takes its time to build up, and so does a busy machine. */
const PATIENCE_S = 60;

const nowS = (): number => Date.now() / 1000;

async function startDash(t: TestContext, policy: string): Promise<{ dash: ComposeLab; prometheus: Prometheus }> {
  const dash = startLab(t, "dash", ...SMALL, `POLICY=${policy}`);
  const itsEnd = () => (/^Its end: /m.test(dash.output()) ? true : undefined);
  await whileRunning(dash, "make dash is up", itsEnd, 180);
  const [, address = ""] = /^Prometheus: (http:\/\/127\.0\.0\.1:\d+)/m.exec(dash.output()) ?? [];
  assert.notEqual(address, "", dash.output());
  return { dash, prometheus: prometheusAt(address) };
}

/** Waits until `expression` has an answer. */
async function isSeen(prometheus: Prometheus, what: string, expression: string): Promise<void> {
  const answered = async () => ((await prometheus.instant(expression, nowS())).length > 0 ? true : undefined);
  await until(`${what}: ${expression}`, answered, PATIENCE_S);
}

async function switchBy(t: TestContext, verb: string): Promise<void> {
  const lab = await finishedLab(t, [0], verb, ...SMALL);
  assert.match(lab.output(), /The chain runs under policies\//);
}

async function assertTakenDown(dash: ComposeLab): Promise<void> {
  await endsWith(dash, [0]);
  const networks = docker("network", "ls", "--quiet", "--filter", "name=^rst-dash-");
  const marks = existsSync(MARKS) ? [MARKS] : [];
  assert.deepEqual([containers("--all", "--filter", "name=^rst-dash-"), networks, marks], [[], "", []]);
}

test("naive makes a storm, budgeted switched live ends it, every panel has numbers; Ctrl-C takes all down", async (t) => {
  const { dash, prometheus } = await startDash(t, "naive");
  // Its image is fetched where a registry can be reached; where not, that is said.
  assert.match(dash.output(), /^Grafana: +http:\/\/127\.0\.0\.1:\d+\/|^grafana\/grafana:\S+ cannot be fetched/m);
  const from = nowS();
  const seen = (what: string, expression: string) => isSeen(prometheus, what, expression);
  const firing = 'ALERTS{alertname="RetryAmplificationHigh",alertstate="firing"}';
  await seen("all four programs are watched", "count(up == 1) == 4");
  await seen("naive makes a storm, and the alert fires", firing);
  await seen("the storm multiplies the load", "lab:amplification:ratio_rate10s > 3");
  await switchBy(t, "test");
  const mended = 'lab:amplification:ratio_rate10s < 1.8 and on () lab_run_info{policy="budgeted"} == 1';
  await seen("budgeted, switched live, ends it", mended);
  await seen("the alert is over", 'absent(ALERTS{alertname="RetryAmplificationHigh"})');
  const shown = await look(prometheus, { startS: from, endS: nowS(), scrapeMs: SCRAPE_MS });
  assert.deepEqual(faultsOf([shown]), []);
  await switchBy(t, "break");
  await seen("naive again", 'lab_run_info{policy="naive"} == 1');
  process.kill(-dash.pid, "SIGINT");
  await assertTakenDown(dash);
});

test("make down, from elsewhere, takes all of it down", async (t) => {
  const { dash } = await startDash(t, "budgeted");
  await finishedLab(t, [0], "down");
  await assertTakenDown(dash);
});
