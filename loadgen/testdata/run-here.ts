/** A whole run of the generator within this process. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { LoadConfig } from "../core/config.ts";
import { parseProfile } from "../../services/settings/rate-profile.ts";
import type { ClientRecord } from "../core/record.ts";
import { runLoad, type RunResult } from "../run/run.ts";

export interface Setting extends Partial<LoadConfig> {
  readonly stop?: AbortSignal;
}

export function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "loadgen-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A run against the backend at `url`: 100/s for 1 s, where `more` does not say otherwise. */
export function runOf(t: TestContext, url: string, { stop, ...more }: Setting): Promise<RunResult | undefined> {
  const config: LoadConfig = {
    mode: "open",
    rate: 100,
    durationS: 1,
    arrivals: "constant",
    rateProfile: parseProfile("").steps,
    seed: 1,
    warmupS: 0.1,
    writeShare: 0,
    idempotencyKeys: true,
    closedConnections: 4,
    clientTimeoutMs: 10_000,
    clientConnections: 256,
    drainS: 5,
    reportsDir: temporary(t),
    policy: "naive",
    world: "process",
    scenario: "test",
    chain: [{ name: "backend", url }],
    ...more,
  };
  return runLoad({
    config,
    environment: "RATE=100\n",
    now: () => new Date("2026-11-30T07:15:28Z"),
    stop: stop ?? new AbortController().signal,
    progress: () => ({ show: () => {}, stop: () => {} }),
  });
}

export const recordsIn = (folder: string): ClientRecord[] =>
  readFileSync(join(folder, "records.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ClientRecord);
