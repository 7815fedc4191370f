/** The files of the tree as they lie on the disk, so that a file which git does not know yet counts too. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** What is installed, built, or written by a run. */
export const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "dist-check", "reports", ".lab", ".git"]);

const above = (folder: string): string =>
  existsSync(join(folder, "package-lock.json")) && existsSync(join(folder, "lab", "toolchain", "files.ts"))
    ? folder
    : above(dirname(folder));

/** The project's folder with its sources, also where the tests run compiled. */
export const SOURCE_ROOT = above(dirname(fileURLToPath(import.meta.url)));

/** Paths below `root`, relative to it and with "/", sorted; without what is installed, built or written by a run. */
export function filesUnder(root: string): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      if (entry.isFile()) files.push(relative(root, path).split(sep).join("/"));
    }
  };
  visit(root);
  return files.sort();
}
