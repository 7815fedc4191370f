/** How every experiment ends: its files are saved, its result is printed, and the exit code says whether all went well. */
import { dirname, join } from "node:path";
import { writeWhole, writing } from "../../loadgen/output/report-folder.ts";
import { narrowText } from "../../loadgen/output/narrow-text.ts";
import { list } from "../../loadgen/core/format.ts";
import type { Experiment } from "../report/pages/experiment-page.ts";
import { quoted } from "../report/pages/reproduce.ts";
import { renderExperiment } from "../report/pages/write-report.ts";
import { KnownError } from "../../services/settings/known-error.ts";
import type { ExperimentContext } from "./context.ts";
import { invalidLine, type CountedRuns } from "./invalid-line.ts";
import { inMarkdown } from "./text.ts";

export interface ExperimentPage extends Omit<Experiment, "command"> {
  /** What is typed behind bin/lab to make the experiment again. */
  readonly words: readonly string[];
}

export interface Conclusion {
  readonly folder: string;
  /** By file name, the result itself first. Text is written as it is, all else as JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly page?: ExperimentPage | undefined;
  /** What --json prints. */
  readonly result: unknown;
  /** What people see otherwise, without a line end; nothing where they have seen it already. */
  readonly text?: () => string;
  /** What else there is to say of what was saved. */
  readonly note?: string;
  /** Its runs by what they were for. One that is invalid is told before all else, and makes the exit code 1. */
  readonly counted?: readonly CountedRuns[];
  /** Nothing else says that the experiment failed; false: exit code 1. True where absent. */
  readonly isSound?: boolean;
}

/** Where it is written says nothing about what it was. */
const PLACE = new Set(["REPORTS_DIR"]);

/** The command that makes the experiment again: the words, and the settings that the user typed. */
function commandOf({ typed, valueOf }: ExperimentContext, words: readonly string[]): string {
  const names = typed.filter((name) => !PLACE.has(name));
  return ["bin/lab", ...words, ...names.map((name) => `${name}=${valueOf(name)}`)].map(quoted).join(" ");
}

/** @throws ReportError when the page cannot be written */
async function savePage(
  context: ExperimentContext,
  folder: string,
  { words, ...experiment }: ExperimentPage,
): Promise<string> {
  const path = await renderExperiment({ ...experiment, command: commandOf(context, words) }, folder);
  return `The page: ${path}`;
}

function save(folder: string, files: Conclusion["files"]): string {
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    writing(dirname(folder), () => writeWhole(join(folder, name), text));
  }
  const [first = "", ...more] = Object.keys(files);
  const beside = more.length === 0 ? "" : `, with ${list(more)} beside it`;
  return `Saved: ${join(folder, first)}${beside}`;
}

/** What `text` says, in the form that was asked for. */
export const shown = ({ markdown }: ExperimentContext, text: () => string): string =>
  markdown ? inMarkdown(text) : narrowText(text());

/** Saves all of it and says where; undefined where the disk did not take it, which has been told. */
async function saveAll(context: ExperimentContext, conclusion: Conclusion): Promise<string[] | undefined> {
  const { folder, files, page, note, counted = [] } = conclusion;
  try {
    const saved = save(folder, files);
    const lead = [...invalidLine(counted), page?.lead ?? ""].join(" ");
    const pages = page === undefined ? [] : [await savePage(context, folder, { ...page, lead })];
    return [[saved, note].join(" ").trimEnd(), ...pages];
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    context.say(`${error.message} The result is not saved.`);
    return undefined;
  }
}

/** Saves and prints; a result that cannot be saved is printed all the same. @returns the exit code */
export async function conclude(context: ExperimentContext, conclusion: Conclusion): Promise<number> {
  const { result, text, counted = [], isSound = true } = conclusion;
  const invalid = invalidLine(counted);
  const saved = await saveAll(context, conclusion);
  const told = [
    ...invalid.map((line) => narrowText(line)),
    ...(text === undefined ? [] : [shown(context, text)]),
    ...(saved ?? []),
  ];
  context.print(context.json ? JSON.stringify(result, null, 2) : told.join("\n"));
  return isSound && invalid.length === 0 && saved !== undefined ? 0 : 1;
}
