/**
 * The project as tests run it: compiled once, with all that is no TypeScript copied beside it, so that a path from a test to a
 * fixture, a script or a page is the same as in the sources. The sources themselves are not there (files.ts finds them).
 */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { SKIPPED } from "./files.ts";

/** Each run has a tree of its own within it, by the number of its process: two at once do not meet. */
const TREES = "dist-check";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removeLeftTrees(root: string): void {
  const trees = join(root, TREES);
  for (const name of existsSync(trees) ? readdirSync(trees) : [])
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(trees, name), { recursive: true, force: true });
}

function copyWhatIsNoSource(root: string, tree: string): void {
  mkdirSync(tree, { recursive: true });
  for (const name of readdirSync(root)) {
    if (SKIPPED.has(name) || name === ".env") continue; // somebody's own settings are no part of a test
    const filter = (path: string): boolean => !/\.(ts|log)$/.test(path);
    cpSync(join(root, name), join(tree, name), { recursive: true, filter });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
}

/** Resolves with the exit code; what the command prints is shown. */
function node(root: string, ...words: string[]): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

/** Compiles all TypeScript below `root`. A folder without a page of its own (a tree for a test) gets no scripts of pages. */
export async function compileTree(root: string): Promise<{ tree: string; code: number; remove: () => void }> {
  removeLeftTrees(root);
  const tree = join(root, TREES, String(process.pid));
  copyWhatIsNoSource(root, tree);
  const bundle = join("lab", "report", "pages", "bundle.ts");
  const codes = await Promise.all([
    node(root, join("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.check.json", "--outDir", tree),
    existsSync(join(root, bundle))
      ? node(root, "--import", "tsx", bundle, join(tree, "lab", "report", "pages", "assets"))
      : 0,
  ]);
  const code = Math.max(...codes);
  return { tree, code, remove: () => rmSync(tree, { recursive: true, force: true }) };
}

/** Where a source lies when it is compiled into `tree`. */
export const compiledPath = (tree: string, source: string): string => join(tree, source.replace(/\.ts$/, ".js"));

/** Writes a program that runs these test files in one process. Returns its path. */
export function writeGroup(tree: string, name: string, sources: readonly string[]): string {
  const file = join(tree, `${name}.test.js`);
  const urls = sources.map((source) => relative(tree, compiledPath(tree, source)).split(sep).join("/"));
  writeFileSync(file, urls.map((url) => `import "./${url}";\n`).join(""));
  return file;
}
