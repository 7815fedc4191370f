/** A process that stops for two seconds: whose slowness it is, and that nobody's is hidden. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientRecord } from "../../../loadgen/core/record.ts";
import { eventually, wholeRun, type Lab, type Told } from "./testdata/lab-process.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

const STOP_MS = 2000;

/** A healthy chain without retries and without timeouts: what shows is the stop alone. */
const HEALTHY = {
  RATE: "60",
  DURATION_S: "6",
  WARMUP_S: "0",
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
async function runWithStopOf(t: TestContext, main: string): Promise<Told> {
  const told = await wholeRun(t, HEALTHY, async (lab) => {
    await lab.child("lab/worlds/load/main");
    await eventually("the first record", () => hasRecords(lab) || undefined);
    const { pid } = await lab.child(main);
    process.kill(pid, "SIGSTOP");
    try {
      await sleep(STOP_MS);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
  assert.equal(told.summary.clientRequests, 360, "no request that was due is left out");
  return told;
}

/** Requests that were sent between the two answers that lie furthest apart. */
function sentIntoTheLongestSilence(records: readonly ClientRecord[]): number {
  const answers = records.map(({ intendedMs, latencyMs }) => intendedMs + latencyMs).toSorted((a, b) => a - b);
  const silences = answers.slice(1).map((to, i) => ({ from: answers[i] ?? 0, to }));
  const [longest] = silences.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  assert.ok(longest);
  return records.filter(({ intendedMs, lateMs }) => {
    const sentMs = intendedMs + lateMs;
    return sentMs > longest.from && sentMs < longest.to;
  }).length;
}

describe("A stop of two seconds at 60 requests a second", { concurrency: 1 }, () => {
  test("of the load program makes late requests, and the run INVALID", async (t) => {
    const { summary, code } = await runWithStopOf(t, "lab/worlds/load/main");
    const { late, lateMaxMs } = summary.generator;
    assert.ok(late >= 90, `${late} late; some 120 were due in the stop`);
    assert.ok(measured(lateMaxMs) >= 0.75 * STOP_MS, `at most ${lateMaxMs} ms late`);
    assert.equal(summary.valid, false);
    assert.equal(code, 1);
    assert.match(summary.invalidReasons.join("\n"), /the generator could not keep its schedule/);
    assert.ok(
      measured(summary.latencyMs.max) >= measured(lateMaxMs),
      "what the generator lost is the user's wait, too",
    );
  });

  test("of the backend shows as a p99 near two seconds; the generator goes on sending meanwhile", async (t) => {
    const { summary, records } = await runWithStopOf(t, "services/backend/main");
    const { latencyMs, generator, succeeded, backendCalls } = summary;
    assert.deepEqual([succeeded, backendCalls], [360, 360]);
    assert.ok(measured(latencyMs.p99) >= 0.75 * STOP_MS, `p99 ${latencyMs.p99} ms`);
    const sent = sentIntoTheLongestSilence(records);
    assert.ok(sent >= 30, `${sent} sent while nobody was answered; some 120 were due`);
    // On a machine that was busy with something else, the rest of the run was slow, too, and it says so.
    if (!summary.valid) return;
    assert.ok(measured(latencyMs.p99) <= 2 * STOP_MS, `p99 ${latencyMs.p99} ms`);
    assert.ok(measured(latencyMs.p50) <= 0.5 * STOP_MS, `two thirds were not in the stop: p50 ${latencyMs.p50} ms`);
    assert.ok(measured(generator.lateP99Ms) <= 0.5 * measured(latencyMs.p99), `p99 ${generator.lateP99Ms} ms late`);
  });
});
