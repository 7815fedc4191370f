/**
 * Reads the folder of one run: `summary.json`, `records.ndjson`, and, where they are there, the samples and the
 * environment.
 */
import { createReadStream, existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { AmplificationOverTime, type Sample } from "../../../loadgen/core/series.ts";
import type { z } from "zod";
import { unreadable } from "../../../services/settings/read-file.ts";
import { checkFolder, readSummary } from "./read-summaries.ts";
import { RECORD_FORM, SAMPLE_FORM } from "./stored-forms.ts";
import { checked, ReportError, storedText } from "./stored.ts";
import { RecordDigest, type Digest } from "./digest.ts";
import { messageOf } from "../../../services/settings/known-error.ts";

export interface RunFolder {
  /** Absolute. */
  readonly dir: string;
  readonly name: string;
  readonly summary: RunSummary;
  readonly digest: Digest;
  /** Empty where the run wrote none. */
  readonly samples: readonly Sample[];
  /** The effective environment, in its own order; empty where the run wrote none. */
  readonly environment: readonly (readonly [name: string, value: string])[];
}

/** Hands on each line's value. An interrupted run may end in the middle of a line: that last one is left out. */
export async function eachLine<Form extends z.ZodType>(
  file: string,
  form: Form,
  use: (value: z.output<Form>) => void,
): Promise<void> {
  if (!existsSync(file)) return;
  const problem = unreadable(file);
  if (problem !== undefined) throw new ReportError(`${file} cannot be read: ${problem}.`);
  let number = 0;
  let broken: string | undefined;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (broken !== undefined) throw new ReportError(broken);
    number += 1;
    if (line === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      broken = `${file}, line ${number}, is not JSON: ${messageOf(error)}`;
      continue;
    }
    use(checked(form, value, `${file}, line ${number},`, "what a run writes"));
  }
}

async function readSamples(dir: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  await eachLine(join(dir, "series.ndjson"), SAMPLE_FORM, (sample) => samples.push(sample));
  return samples;
}

/** Backend calls for each request, second by second while load was offered; empty where the run wrote no samples. */
export async function readAmplification(dir: string): Promise<number[]> {
  const overTime = new AmplificationOverTime();
  for (const sample of await readSamples(dir)) overTime.add(sample);
  return [...overTime.values];
}

/** `NAME=value` lines as the run wrote them; values that hold more than plain characters stand in double quotes. */
function readEnvironment(file: string): (readonly [string, string])[] {
  if (!existsSync(file)) return [];
  return storedText(file)
    .split("\n")
    .flatMap((line) => {
      const match = /^([A-Z][A-Z0-9_]*)=(.*)$/u.exec(line);
      if (match === null) return [];
      const [, name = "", value = ""] = match;
      return [[name, /^(["']).*\1$/u.test(value) ? value.slice(1, -1) : value] as const];
    });
}

/**
 * Reads one run.
 * @throws ReportError when the folder holds no readable run
 */
export async function readRun(folder: string): Promise<RunFolder> {
  const dir = resolve(folder);
  checkFolder(dir);
  const summary = readSummary(dir);
  const digest = new RecordDigest(summary.durationSeconds, summary.clientRequests);
  await eachLine(join(dir, "records.ndjson"), RECORD_FORM, (record) => digest.add(record));
  const samples = await readSamples(dir);
  const environment = readEnvironment(join(dir, "effective.env"));
  return { dir, name: basename(dir), summary, digest: digest.result(), samples, environment };
}
