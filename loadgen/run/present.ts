/** What is left to do once a run is made: the page of its report, and its result in words or as JSON. */
import { relative } from "node:path";
import { messageOf } from "../../services/settings/known-error.ts";
import { summaryText } from "../output/terminal.ts";
import type { RunResult } from "./run.ts";

export interface Presentation {
  /** The summary as JSON alone. */
  readonly json: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets the result. */
  readonly print: (text: string) => void;
  /** Gets what went wrong. */
  readonly say: (text: string) => void;
  /** Makes the page of the report in `folder`. */
  readonly render: (folder: string) => Promise<unknown>;
}

/** The page is an extra: without it the run is as good as it was. */
async function writePage(folder: string, { render, say }: Presentation): Promise<void> {
  try {
    await render(folder);
  } catch (error) {
    say(`report.html could not be made: ${messageOf(error)}`);
  }
}

/** From the folder that the user is in; in a container that is the one place where the path is true outside as well. */
function shown(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const path = relative(process.cwd(), folder);
  return path.startsWith("..") ? folder : path;
}

/** @returns the exit code: 0 where the run is valid and its report is complete, else 1 */
export async function presentRun(result: RunResult, to: Presentation): Promise<number> {
  const { summary, folder, overTime, reportProblem } = result;
  const { json, environment, print, say } = to;
  if (folder !== undefined) await writePage(folder, to);
  const colour = process.stdout.isTTY && (environment["NO_COLOR"] ?? "") === "";
  const text = json ? `${JSON.stringify(summary, null, 2)}\n` : summaryText(summary, shown(folder), colour, overTime);
  print(text);
  if (reportProblem !== undefined) say(`${reportProblem} The result above is not saved.`);
  return summary.valid && reportProblem === undefined ? 0 : 1;
}
