/** `npm run docs`: writes anew what follows from the table of knobs, the presets and the registry of verbs. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { verbPages } from "../cli/verb-pages.ts";
import { cataloguePage } from "./catalogue-page.ts";
import { KNOB_PAGES } from "./knob-pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

for (const [path, textOf] of Object.entries({
  ...KNOB_PAGES,
  "docs/catalogue.md": () => cataloguePage(root),
  ...verbPages(root),
})) {
  writeFileSync(`${root}/${path}`, textOf());
  console.log(`wrote ${path}`);
}
