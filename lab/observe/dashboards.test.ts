/**
 * The dashboards without Grafana: a real Prometheus with the lab's configuration watches a real chain, and every panel
 * gets what it asks for.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { readSummaries } from "../report/data/read-summaries.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import { chainText, createProcessChain } from "../worlds/process/chain.ts";
import { createExcuses } from "../worlds/process/testdata/excuses.ts";
import { startProgram } from "../worlds/process/program.ts";
import { expressions, faultsOf, look, type Seen } from "./testdata/panels.ts";
import { hasPrometheus, SCRAPE_MS, startPrometheus, until } from "./testdata/prometheus.ts";
import { measured } from "../../loadgen/testdata/measured.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const grafana = join(root, "grafana");

/**
 * So little load that a busy machine bears a storm of it, less capacity than that, and enough seconds for the alert.
 */
const SETTINGS = { RATE: "8", CAPACITY: "6", DURATION_S: "12", WARMUP_S: "0", SEED: "1", DRAIN_S: "5" };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

interface Observed {
  readonly summary: RunSummary;
  readonly seen: Seen;
}

const nowS = (): number => Date.now() / 1000;

/** One run under `policy`, watched; then every expression over the time of the run. */
async function observe(t: TestContext, policy: string): Promise<Observed> {
  const reports = mkdtempSync(join(tmpdir(), "observed-"));
  t.after(() => rmSync(reports, { recursive: true, force: true }));
  const given: Record<string, string> = { ...SETTINGS, POLICY: policy, REPORTS_DIR: reports };
  const env = effectiveSettings({
    root,
    environment: { ...given, LAB_OVERRIDES: Object.keys(given).join(" ") },
  });
  const ambient = { PATH: process.env["PATH"] ?? "" };
  const starter = createProcessChain({ env, ambient });
  t.after(() => starter.stop());
  const { tiers } = await starter.start();
  const [port, loadPort] = [await freePort(), await freePort()];
  const targets = Object.fromEntries(tiers.map(({ name, url }) => [name, new URL(url).host]));
  const prometheus = await startPrometheus(t, port, { ...targets, traffic: `127.0.0.1:${loadPort}` });
  await until("the chain has been scraped", async () => {
    const [up] = await prometheus.instant("count(count_over_time(lab_arrivals_total[1m]) >= 2)", nowS());
    return Number(up?.points[0]?.[1]) === tiers.length ? true : undefined;
  });
  const startS = nowS();
  const load = startProgram({
    name: "load",
    main: "lab/worlds/load/main",
    env: { ...ambient, ...env, CHAIN: chainText(tiers), PORT: String(loadPort) },
    quiet: true,
  });
  t.after(() => load.killNow());
  await load.ended;
  const [run] = readSummaries([reports]);
  assert.ok(run, "the run left no summary");
  const { summary } = run;
  const endedS = nowS();
  const endS = await until("the end of the run has been scraped", async () => {
    // A target whose scrape failed has no sample: all of them have to be there.
    const all = `count(lab_arrivals_total) == ${tiers.length}`;
    const [last] = await prometheus.instant(`min(timestamp(lab_arrivals_total)) and ${all}`, nowS());
    return Number(last?.points[0]?.[1]) > endedS ? nowS() : undefined;
  });
  const seen = await look(prometheus, { startS, endS, scrapeMs: SCRAPE_MS });
  return { summary, seen };
}

function headline({ seen }: Observed, panel: string): number {
  const found = expressions.filter(({ title }) => title === `Storm: ${panel}`);
  assert.equal(found.length, 1, panel);
  return Number(seen.get(found[0]!.expr)?.[0]?.points[0]?.[1]);
}

function near(shown: number, measured: number | null, what: string): void {
  assert.ok(measured !== null);
  assert.ok(Math.abs(shown - measured) <= 0.1 * measured, `${what}: shown ${shown}, measured ${measured}`);
}

test("Prometheus' own checker takes the configuration, the rules and their tests", () => {
  if (!hasPrometheus()) return;
  for (const words of [
    ["check", "config", "prometheus.yml"],
    ["check", "rules", "rules/retry-storm.yml"],
    ["test", "rules", "rules/retry-storm.test.yml"],
  ]) {
    // A failure throws, with what promtool said.
    execFileSync("promtool", words, { cwd: grafana, encoding: "utf8", stdio: "pipe" });
  }
});

test("Every panel has finite numbers to show in a naive or a budgeted run, and the headlines are those of the summary", async (t) => {
  if (!hasPrometheus()) return;
  const runs: Observed[] = [];
  for (const policy of ["naive", "budgeted"]) {
    await t.test(policy, async (own) => {
      const isExcused = createExcuses();
      let run = await observe(own, policy);
      for (let tries = 1; isExcused(run.summary) && tries < 5; tries += 1) run = await observe(own, policy);
      const lost = Object.entries(run.summary.tiers).filter((tier) => tier[1].lost !== 0);
      assert.deepEqual(lost, [], run.summary.invalidReasons.join("\n"));
      own.diagnostic(`${run.summary.amplification} calls a request; ${run.summary.invalidReasons.join("; ")}`);
      near(headline(run, "Amplification"), run.summary.amplification, "amplification");
      near(headline(run, "Succeeded"), run.summary.successRate, "success");
      runs.push(run);
    });
  }
  assert.equal(runs.length, 2);
  const [naive, budgeted] = runs;
  assert.ok(measured(naive!.summary.amplification) > measured(budgeted!.summary.amplification));
  assert.deepEqual(faultsOf(runs.map(({ seen }) => seen)), []);
});
