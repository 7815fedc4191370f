/** `npm run docs:knobs`: writes .env.example and docs/knobs.md anew. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { KNOB_PAGES } from "./knob-pages.ts";

for (const [path, text] of Object.entries(KNOB_PAGES)) {
  writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), text());
  console.log(`wrote ${path}`);
}
