/**
 * Makes the scripts of the pages: each one file that needs nothing else. Run as a program, it puts what the
 * compiled report needs into `dist/lab/report/assets`; a report that runs from its sources bundles when it is asked to.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ENTRIES } from "./assets.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** Bundles the script whose entry is `entry`, a path relative to this folder. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  return outputFiles.map(({ text }) => text).join("");
}

async function writeAssets(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [kind, entry] of Object.entries(ENTRIES)) {
    writeFileSync(join(folder, `${kind}.js`), await bundle(entry));
  }
  copyFileSync(join(here, "style.css"), join(folder, "style.css"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeAssets(resolve(process.argv[2] ?? "dist/lab/report/assets"));
}
