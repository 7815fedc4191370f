/** The page that an experiment leaves beside its numbers. */
import { quoted } from "../report/pages/reproduce.ts";
import type { Experiment } from "../report/pages/experiment-page.ts";
import { renderExperiment } from "../report/pages/write-report.ts";
import type { ExperimentContext } from "./context.ts";

/** Where it is written says nothing about what it was. */
const PLACE = new Set(["REPORTS_DIR"]);

/** The command that makes the experiment again: the words, and the settings that the user typed. */
export function commandOf({ typed = [], settingsFor }: ExperimentContext, words: readonly string[]): string {
  const names = typed.filter((name) => !PLACE.has(name));
  const settings = names.length === 0 ? {} : settingsFor({});
  return ["bin/lab", ...words, ...names.map((name) => `${name}=${settings[name] ?? ""}`)]
    .map(quoted)
    .join(" ");
}

/** Writes the page. @returns its path @throws ReportError when it cannot be written */
export function savePage(
  context: ExperimentContext,
  folder: string,
  { words, ...experiment }: Omit<Experiment, "command"> & { readonly words: readonly string[] },
): Promise<string> {
  return renderExperiment({ ...experiment, command: commandOf(context, words) }, folder);
}
