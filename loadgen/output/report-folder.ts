/**
 * The folder that a run leaves: reports/<UTC time>-<policy>/; a policy of the catalogue has "-" for its "/".
 *
 * Made before any load is sent, so that a folder that cannot be written to is known in time. Records and samples are
 * written as they come, so that an interrupted run keeps them; everything else is written whole or not at all.
 */
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createLines, type Lines } from "./lines.ts";
import type { ClientRecord } from "../core/record.ts";
import { AmplificationOverTime, type Sample } from "../core/series.ts";
import { KnownError } from "../../services/settings/known-error.ts";

/**
 * The report cannot be written; the message is for a person and names REPORTS_DIR. Exit code 2 where that was known
 * before anything ran, else 1.
 */
export class ReportFolderError extends KnownError {
  override readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface ReportFolder {
  /** Absolute. */
  readonly path: string;
  addRecord(record: ClientRecord): void;
  addSample(sample: Sample): void;
  /** Amplification of each sample so far in which requests were due. */
  readonly overTime: readonly number[];
  /** Writes a file whole. @throws ReportFolderError */
  write(file: string, text: string): void;
  /** Ends the files that grow. @throws ReportFolderError when not all of them reached the disk */
  close(): Promise<void>;
  /** Removes the folder: the run never began. */
  discard(): Promise<void>;
}

/** Two runs may start within one second, with the same policy; more than this many may not. */
const MOST_NAMESAKES = 100;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EEXIST: "there is a file in its place",
  ENOTDIR: "it, or a folder above it, is a file",
};

/** Why a report cannot be written, for a person; names REPORTS_DIR and what to do. */
export function reportsFault(reportsDir: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = REASONS[code ?? ""] ?? message;
  return `REPORTS_DIR=${reportsDir} cannot be written to: ${why}. Choose a folder that is yours, with room.`;
}

const problem = (reportsDir: string, error: unknown, exitCode?: 1 | 2): ReportFolderError =>
  new ReportFolderError(reportsFault(reportsDir, error), exitCode);

/** Does what writes to the disk. @throws ReportFolderError where that fails */
export function writing<T>(reportsDir: string, work: () => T, exitCode?: 1 | 2): T {
  try {
    return work();
  } catch (error) {
    throw problem(reportsDir, error, exitCode);
  }
}

/**
 * Makes what is missing of `path`. Node's own way (`recursive`) never ends where a folder can be seen but holds none,
 * as /proc.
 */
export function ensureFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another lab may make the same folder at the same time.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(folder)) throw error;
    }
  }
}

/** 2026-11-30T07-15-28Z: sorts by time, and is a file name everywhere. */
function stamp(startedAt: Date): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** Makes a folder that was not there before, whoever else makes one at the same time. */
function makeFolder(reportsDir: string, name: string): string {
  ensureFolder(reportsDir);
  for (let n = 1; ; n += 1) {
    const path = resolve(join(reportsDir, n === 1 ? name : `${name}-${n}`));
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || n >= MOST_NAMESAKES) throw error;
    }
  }
}

/** Written beside its place and moved there, so that nobody reads half a file; nothing stays where that fails. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flag: "w", flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * @param startedAt the wall clock's time
 * @throws ReportFolderError when the folder cannot be made or written to
 */
export function createReportFolder(reportsDir: string, policy: string, startedAt: Date): ReportFolder {
  const path = writing(
    reportsDir,
    () => makeFolder(reportsDir, `${stamp(startedAt)}-${policy.replaceAll("/", "-")}`),
    2,
  );
  const linesOf = (file: string): Lines => createLines(createWriteStream(join(path, file), { flags: "wx" }));
  const records = linesOf("records.ndjson");
  const samples = linesOf("series.ndjson");
  const overTime = new AmplificationOverTime();
  const close = async (): Promise<void> => {
    const results = await Promise.allSettled([records.close(), samples.close()]);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw problem(reportsDir, failed.reason);
  };
  return {
    path,
    addRecord: (record) => records.add(record),
    addSample(sample) {
      samples.add(sample);
      overTime.add(sample);
    },
    overTime: overTime.values,
    write: (file, text) => writing(reportsDir, () => writeWhole(join(path, file), text)),
    close,
    async discard() {
      await close().catch(() => {});
      rmSync(path, { recursive: true, force: true });
    },
  };
}

const PLAIN = /^[A-Za-z0-9_.,:/@%+-]*$/;

/** The effective environment as a file that dotenv, Compose and a shell read alike. */
export function environmentText(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    if (PLAIN.test(value)) return `${name}=${value}`;
    return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
  });
  return `${lines.join("\n")}\n`;
}
