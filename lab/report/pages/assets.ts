/** The script and the style sheet that every page carries within it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageKind } from "./bundle.ts";

const here = dirname(fileURLToPath(import.meta.url));

export interface Assets {
  readonly script: string;
  readonly style: string;
}

const loaded = new Map<PageKind, Assets>();

async function load(kind: PageKind): Promise<Assets> {
  const built = join(here, "assets");
  if (existsSync(built)) {
    const read = (name: string): string => readFileSync(join(built, name), "utf8");
    return { script: read(`${kind}.js`), style: read("style.css") };
  }
  // Imported here only: the compiled report has no bundler.
  const { bundle } = await import("./bundle.ts");
  return { script: await bundle(kind), style: readFileSync(join(here, "style.css"), "utf8") };
}

/** Compiled code finds both beside itself; code that runs from its sources bundles the script once. */
export async function pageAssets(kind: PageKind): Promise<Assets> {
  const assets = loaded.get(kind) ?? (await load(kind));
  loaded.set(kind, assets);
  return assets;
}
