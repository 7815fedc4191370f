/**
 * `npm run docs:figures`: makes the tables of all pages anew that come from virtual time. With --check it writes nothing, and
 * says which differ: exit 1. Words behind it choose pages: `npm run docs:figures -- --check herd`.
 *
 * Compiled first: each command starts threads, and from the sources each of those would learn to read TypeScript anew.
 */
import { execFileSync } from "node:child_process";
import { compiledPath, compileTree } from "../compiled-tree.ts";
import { SOURCE_ROOT } from "../files.ts";

const { tree, code, remove } = await compileTree(SOURCE_ROOT);
try {
  if (code === 0) {
    const program = compiledPath(tree, "lab/toolchain/figures/write-figures.ts");
    execFileSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  }
  process.exitCode = code;
} catch {
  process.exitCode = 1; // it has said why
} finally {
  remove();
}
