/**
 * Makes the scripts of the pages: each one file that needs nothing else. Run as a program, it puts what the compiled
 * report needs into `dist/lab/report/pages/assets`; a report that runs from its sources bundles when it is asked to.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Each page's script, from its source: a path relative to this folder. */
const ENTRIES = { report: "../charts/page.ts", live: "../../live/charts/page.ts" } as const;
export type PageKind = keyof typeof ENTRIES;

/** The script of one kind of page. */
export async function bundle(kind: PageKind): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, ENTRIES[kind])],
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
  for (const kind of Object.keys(ENTRIES) as PageKind[]) {
    writeFileSync(join(folder, `${kind}.js`), await bundle(kind));
  }
  copyFileSync(join(here, "style.css"), join(folder, "style.css"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeAssets(resolve(process.argv[2] ?? "dist/lab/report/pages/assets"));
}
