/**
 * What the checks of the Compose world have in common: an engine that answers, and labs as a user starts them.
 *
 *     exit 0  every check held
 *     exit 1  one did not
 *     exit 3  no Docker engine with Compose answers, so nothing was checked
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../../../loadgen/core/run-summary.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "compose-check-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Enough for an image, a chain and a run on a busy machine. */
const END_WITHIN_MS = 300_000;

export function docker(...words: string[]): string {
  return execFileSync("docker", words, { encoding: "utf8" }).trim();
}

/** Ids of the containers that `words` select. */
export function containers(...words: string[]): string[] {
  return docker("ps", "--quiet", ...words)
    .split("\n")
    .filter((id) => id !== "");
}

/** Ends this program with 3 where Compose cannot be used, as bin/lab itself judges that. */
export function beginChecks(what: string): void {
  const script = `interrupted=""; . lab/cli/choose.sh; look_for_compose; printf '%s\\n' "$without_compose" "\${compose[*]-}"`;
  const said = execFileSync("bash", ["--norc", "-euc", script], { cwd: ROOT, encoding: "utf8" });
  const [missing = "", compose] = said.split("\n");
  if (missing !== "") {
    console.error(`\n######## ${what} was NOT checked: ${missing}. ########\n`);
    process.exit(3);
  }
  const engine = docker("version", "--format", "engine {{.Server.Version}}");
  console.log(`${what}, checked with ${engine} and ${compose}:`);
}

export interface ComposeLab {
  readonly pid: number;
  readonly reports: string;
  /** All that it has printed so far. */
  output(): string;
  /** Closes the pipes that it prints into. */
  stopReading(): void;
  isRunning(): boolean;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Of the one run that it has made. */
  summary(): RunSummary;
}

let started = 0;

/** `bin/lab verb WORLD=compose …` in a process group of its own, as a terminal gives each command. Never outlives the test. */
export function startLab(t: TestContext, verb: string, ...words: string[]): ComposeLab {
  const reports = join(scratch, `reports-${(started += 1)}`);
  const settings = ["WORLD=compose", `REPORTS_DIR=${reports}`];
  const child = spawn(join(ROOT, "bin/lab"), [verb, ...settings, ...words], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  assert.ok(pid !== undefined);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  t.after(async () => {
    if (isRunning()) process.kill(-pid, "SIGINT");
    const late = sleep(60_000, "late", { ref: false });
    if ((await Promise.race([ended, late])) === "late") process.kill(-pid, "SIGKILL");
  });
  const summary = (): RunSummary => {
    const [folder = ""] = existsSync(reports) ? readdirSync(reports) : [];
    const file = join(reports, folder, "summary.json");
    assert.ok(existsSync(file), `there is no summary of the run:\n${output}`);
    return JSON.parse(readFileSync(file, "utf8")) as RunSummary;
  };
  const stopReading = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return { pid, reports, output: () => output, stopReading, isRunning, ended, summary };
}

/** The same, when it has ended with one of the exit codes `wanted`. */
export async function finishedLab(
  t: TestContext,
  wanted: readonly number[],
  verb: string,
  ...words: string[]
): Promise<ComposeLab> {
  const lab = startLab(t, verb, ...words);
  await endsWith(lab, wanted);
  return lab;
}

export async function endsWith(lab: ComposeLab, wanted: readonly number[]): Promise<void> {
  const code = await Promise.race([lab.ended, sleep(END_WITHIN_MS, -1, { ref: false })]);
  assert.ok(wanted.includes(code ?? -1), `it ended with ${code}, not ${wanted.join(" or ")}:\n${lab.output()}`);
}

/** Resolves with what `look` finds, while the lab goes on, for at most `patienceS` seconds. */
export async function whileRunning<T>(
  lab: ComposeLab,
  what: string,
  look: () => T | undefined,
  patienceS = 60,
): Promise<T> {
  for (const until = Date.now() + patienceS * 1000; Date.now() < until; await sleep(100)) {
    const seen = look();
    if (seen !== undefined) return seen;
    assert.ok(lab.isRunning(), `it ended before this: ${what}\n${lab.output()}`);
  }
  throw new Error(`waited ${patienceS} s in vain: ${what}\n${lab.output()}`);
}
