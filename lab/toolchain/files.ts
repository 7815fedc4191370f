/** The files of the tree as they lie on the disk, so that a file which git does not know yet counts too. */
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "reports", ".git"]);

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
