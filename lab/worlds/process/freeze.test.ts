/** A process that stops for two seconds: whose slowness it is, and that nobody's is hidden. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { eventually, startLab, type Lab } from "./testdata/lab-process.ts";

const STOP_MS = 2000;

/** A healthy chain without retries and without timeouts: what shows is the stop alone. */
const HEALTHY = {
  RATE: "60",
  DURATION_S: "6",
  SEED: "1",
  CAPACITY: "1000",
  ERROR_RATE: "0",
  MAX_ATTEMPTS: "1",
  ATTEMPT_TIMEOUT_MS: "off",
  EDGE_ATTEMPT_TIMEOUT_MS: "off",
};

function hasRecords({ reports }: Lab): boolean {
  const files = readdirSync(reports).map((run) => join(reports, run, "records.ndjson"));
  return files.some((file) => existsSync(file) && statSync(file).size > 0);
}

/** One run in which the process of `main` stops for two seconds once the load has begun. */
async function runWithStopOf(
  t: TestContext,
  main: string,
): Promise<{ summary: RunSummary; code: number | null }> {
  const lab = startLab(t, ["run"], HEALTHY);
  await lab.child("lab/worlds/load/main");
  await eventually("the first record", () => hasRecords(lab) || undefined);
  const { pid } = await lab.child(main);
  process.kill(pid, "SIGSTOP");
  try {
    await sleep(STOP_MS);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  const { code, stderr } = await lab.finished;
  const summary = lab.summaries()[0];
  assert.ok(summary, stderr);
  assert.equal(summary.clientRequests, 360, "no request that was due is left out");
  return { summary, code };
}

describe("A stop of two seconds at 60 requests a second", { concurrency: 1 }, () => {
  test("of the load program makes late requests, and the run INVALID", async (t) => {
    const { summary, code } = await runWithStopOf(t, "lab/worlds/load/main");
    const { late, lateMaxMs } = summary.generator;
    assert.ok(late >= 90, `${late} late; some 120 were due in the stop`);
    assert.ok(lateMaxMs >= 0.75 * STOP_MS, `at most ${lateMaxMs} ms late`);
    assert.equal(summary.valid, false);
    assert.equal(code, 1);
    assert.match(summary.invalidReasons.join("\n"), /the generator could not keep its schedule/);
    assert.ok(summary.latencyMs.max >= lateMaxMs, "what the generator lost is the user's wait, too");
  });

  test("of the backend shows as a p99 near two seconds; the generator goes on sending meanwhile", async (t) => {
    const { summary } = await runWithStopOf(t, "services/backend/main");
    const { latencyMs, generator, succeeded, backendCalls } = summary;
    assert.deepEqual([succeeded, backendCalls], [360, 360]);
    assert.ok(latencyMs.p99 >= 0.75 * STOP_MS && latencyMs.p99 <= 2 * STOP_MS, `p99 ${latencyMs.p99} ms`);
    assert.ok(latencyMs.p50 <= 0.5 * STOP_MS, `two thirds were not in the stop: p50 ${latencyMs.p50} ms`);
    assert.ok(generator.lateP99Ms <= 0.5 * latencyMs.p99, `p99 ${generator.lateP99Ms} ms late`);
  });
});
