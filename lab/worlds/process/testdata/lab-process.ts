/** The lab as its user starts it, observed from outside: exit code, output, and the processes that it has. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeArguments } from "../../../../services/real-time/node-arguments.ts";
import { readSummaries } from "../../../report/data/read-summaries.ts";
import type { ClientRecord } from "../../../../loadgen/core/record.ts";
import { recordsIn } from "../../../../loadgen/testdata/run-here.ts";
import { createExcuses, type IsExcused } from "./excuses.ts";
import type { RunSummary } from "../../../../loadgen/core/run-summary.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface Child {
  readonly pid: number;
  readonly args: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Lab {
  readonly process: ChildProcess;
  readonly reports: string;
  readonly finished: Promise<Finished>;
  children(): Child[];
  /** Resolves with the child whose command line contains `text`, once there is one. */
  child(text: string): Promise<Child>;
  summaries(): RunSummary[];
}

/** A folder for reports that does not outlive the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Of a process, by the list of processes. */
export function childrenOf(pid: number): Child[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [, child, parent, args] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return Number(parent) === pid ? [{ pid: Number(child), args: args ?? "" }] : [];
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Looks again and again, for at most a minute: the machine may be busy. */
export async function eventually<T>(what: string, look: () => T | undefined): Promise<T> {
  for (let round = 0; round < 3000; round++) {
    const seen = look();
    if (seen !== undefined) return seen;
    await sleep(20);
  }
  throw new Error(`waited a minute in vain: ${what}`);
}

/** Starts `lab …words` with these settings alone, as if typed on a command line; nothing else of the environment. */
export function startLab(t: TestContext, words: readonly string[], settings: Record<string, string>): Lab {
  const reports = settings["REPORTS_DIR"] ?? temporaryFolder(t);
  const given = { WORLD: "process", REPORTS_DIR: reports, ...settings };
  const env = { ...given, LAB_OVERRIDES: Object.keys(given).join(" ") };
  const child = spawn(process.execPath, [...nodeArguments("lab/cli/main"), ...words], {
    cwd: root,
    env,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const finished = new Promise<Finished>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  t.after(() => child.kill("SIGKILL"));
  const children = (): Child[] => childrenOf(child.pid ?? -1);
  return {
    process: child,
    reports,
    finished,
    children,
    child: (text) => eventually(`a process of ${text}`, () => children().find(({ args }) => args.includes(text))),
    summaries: () => readSummaries([reports]).map(({ summary }) => summary),
  };
}

export interface Told {
  readonly summary: RunSummary;
  /** summary.txt */
  readonly text: string;
  readonly records: readonly ClientRecord[];
  readonly code: number | null;
}

const MOST_TRIES = 5;

/** Why the run came to nothing or was cut short, in words; what it told where it was not. */
async function tryRun(
  t: TestContext,
  settings: Record<string, string>,
  during: (lab: Lab) => Promise<void>,
  isExcused: IsExcused,
): Promise<Told | string> {
  const lab = startLab(t, ["run"], settings);
  const watched = during(lab);
  // A lab that could not start shows nothing that could be waited for.
  await Promise.race([watched, lab.finished]).catch(() => {});
  const { code, stderr } = await lab.finished;
  const folder = join(lab.reports, readdirSync(lab.reports)[0] ?? "");
  const [summary] = existsSync(join(folder, "summary.json")) ? lab.summaries() : [];
  if (summary === undefined) {
    assert.match(stderr, /within [\d.]+ s/, "only a machine that is too slow excuses a lab that left nothing");
    return stderr;
  }
  await watched;
  if (isExcused(summary)) return summary.invalidReasons.join("\n");
  const text = readFileSync(join(folder, "summary.txt"), "utf8");
  return { summary, code, text, records: recordsIn(folder) };
}

/**
 * One run that came to its end, whose tiers tell the same story of every call.
 * @param during what is looked at while each try goes on
 */
export async function wholeRun(
  t: TestContext,
  settings: Record<string, string>,
  during: (lab: Lab) => Promise<void> = () => Promise.resolve(),
): Promise<Told> {
  const excuses: string[] = [];
  const isExcused = createExcuses();
  while (excuses.length < MOST_TRIES) {
    const told = await tryRun(t, settings, during, isExcused);
    if (typeof told === "string") {
      excuses.push(told);
      continue;
    }
    const lost = Object.entries(told.summary.tiers).map(([tier, each]) => [tier, each.lost]);
    assert.deepEqual(
      lost,
      lost.map(([tier]) => [tier, 0]),
      told.text,
    );
    return told;
  }
  assert.fail(`no run came to its end:\n${excuses.join("\n")}`);
}
