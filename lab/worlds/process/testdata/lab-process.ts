/** The lab as its user starts it, observed from outside: exit code, output, and the processes that it has. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeArguments } from "../../../../services/real-time/node-arguments.ts";
import { readSummaries } from "../../../report/data/read-summaries.ts";
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

function childrenOf(pid: number): Child[] {
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
  const finished = new Promise<Finished>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  t.after(() => child.kill("SIGKILL"));
  const children = (): Child[] => childrenOf(child.pid ?? -1);
  return {
    process: child,
    reports,
    finished,
    children,
    child: (text) =>
      eventually(`a process of ${text}`, () => children().find(({ args }) => args.includes(text))),
    summaries: () => readSummaries([reports]).map(({ summary }) => summary),
  };
}
