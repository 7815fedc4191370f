/** Whether a run could leave its report, asked before anything is started. */
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** The problem for a person; undefined when the folder can be written to. Makes the folder where it is missing. */
export function reportsProblem(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(join(folder, ".try-")));
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOSPC" ? "the disk is full" : message;
    return `REPORTS_DIR=${folder} cannot be written to: ${why}. Choose a folder that is yours, with room. Nothing was started.`;
  }
}
