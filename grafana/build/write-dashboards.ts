/** `npm run dashboards`: writes grafana/dashboards from the code beside this file. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dashboardFiles } from "./dashboards.ts";

for (const [name, text] of Object.entries(dashboardFiles())) {
  writeFileSync(fileURLToPath(new URL(`../dashboards/${name}`, import.meta.url)), text);
}
