/** The script and the style sheet that every page carries within it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

export interface Assets {
  readonly script: string;
  readonly style: string;
}

let loaded: Assets | undefined;

/** Compiled code finds both beside itself; code that runs from its sources bundles the script once. */
export async function reportAssets(): Promise<Assets> {
  if (loaded !== undefined) return loaded;
  const built = join(here, "assets");
  if (existsSync(built)) {
    loaded = {
      script: readFileSync(join(built, "page.js"), "utf8"),
      style: readFileSync(join(built, "style.css"), "utf8"),
    };
  } else {
    // Imported here only: the compiled report has no bundler.
    const { bundle } = await import("./bundle.ts");
    loaded = { script: await bundle("charts/page.ts"), style: readFileSync(join(here, "style.css"), "utf8") };
  }
  return loaded;
}
