/** Whether a run could leave its report, asked before anything is started. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, reportsFault } from "../../loadgen/output/report-folder.ts";

/** The problem for a person; undefined when the folder can be written to. Makes the folder where it is missing. */
export function reportsProblem(folder: string): string | undefined {
  try {
    ensureFolder(folder);
    rmdirSync(mkdtempSync(join(folder, ".try-")));
    return undefined;
  } catch (error) {
    return `${reportsFault(folder, error)} Nothing was started.`;
  }
}
