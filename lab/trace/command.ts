/** `bin/lab trace <request id> [report folder] [--json]`: one request's tree of attempts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ClientRecord } from "../../loadgen/core/record.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { chosenReport } from "../report/data/latest.ts";
import { eachLine, readRun } from "../report/data/read-run.ts";
import { endedAt, isRun, ReportError, runsWithin } from "../report/data/read-summaries.ts";
import { RECORD_FORM } from "../report/data/stored-forms.ts";
import { replay, type Replay } from "./replay.ts";
import { traceText, type Trace } from "./text.ts";

export interface TraceRequest {
  /** An order's id, as it stands in records.ndjson. */
  readonly id: string;
  /** The folder of a run, or of several; undefined: the latest. */
  readonly folder: string | undefined;
  readonly reportsDir: string;
  readonly json: boolean;
  /** Gets what is for stdout. */
  readonly print: (text: string) => void;
  /** Gets what is for people, on stderr. */
  readonly say: (text: string) => void;
}

/** A run's folder; of several runs that were made together, the one that ended last, which is said. */
function folderOf({ folder, reportsDir, say }: TraceRequest): string {
  const chosen = chosenReport(folder, reportsDir);
  if (!existsSync(chosen) || isRun(chosen)) return chosen;
  const runs = runsWithin(chosen).toSorted((a, b) => endedAt(a) - endedAt(b));
  const last = runs.at(-1);
  if (last === undefined) return chosen;
  if (runs.length > 1) {
    const others = runs.slice(0, -1).map((run) => `\n  ${run}`);
    say(
      `Of ${runs.length} runs in ${chosen} the latest. Name another behind the request's id to see that:${others.join("")}`,
    );
  }
  return last;
}

async function recordOf(folder: string, id: string): Promise<ClientRecord> {
  const file = join(folder, "records.ndjson");
  const seen: { first?: ClientRecord; wanted?: ClientRecord } = {};
  await eachLine(file, RECORD_FORM, (record) => {
    seen.first ??= record;
    if (record.id === id) seen.wanted = record;
  });
  if (seen.wanted !== undefined) return seen.wanted;
  const hint = seen.first === undefined ? "It holds no request at all." : `One of its ids is ${seen.first.id}.`;
  throw new ReportError(`${file} has no request with the id ${JSON.stringify(id.slice(0, 80))}. ${hint}`);
}

function replayOf(folder: string, environment: readonly (readonly [string, string])[], id: string): Replay {
  const file = join(folder, "effective.env");
  if (environment.length === 0) {
    throw new ReportError(`${file} is not there: without the run's settings it cannot be made again.`);
  }
  const env = Object.fromEntries(environment);
  if (env["LOAD"] === "closed") {
    throw new ReportError(
      `${folder} is a run with LOAD=closed, whose clients wait for the chain: it cannot be made again in virtual time. Trace a run with LOAD=open.`,
    );
  }
  try {
    return replay(env, id);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.problems.map((problem) => `\n  ${problem}`).join("");
    throw new ReportError(`${file} holds settings that this version of the lab does not take:${faults}`);
  }
}

/**
 * @throws ReportError when there is no such run or request, or it cannot be made again; the message is for a person
 */
export async function traceCommand(request: TraceRequest): Promise<void> {
  const { id, json, print } = request;
  const folder = folderOf(request);
  const { summary, environment } = await readRun(folder);
  const { world, policy, seed } = summary;
  const recorded = await recordOf(folder, id);
  const trace: Trace = { folder, world, policy, seed, recorded, ...replayOf(folder, environment, id) };
  print(json ? JSON.stringify(trace, null, 2) : traceText(trace));
}
