/** The committed dashboards are those that the code makes, and they name metrics that exist. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import { dashboardFiles } from "./dashboards.ts";
import { expressionsOf, type DashboardJson } from "./testdata/panels-of.ts";

const folder = fileURLToPath(new URL("../dashboards/", import.meta.url));

test("grafana/dashboards holds what the code makes, byte for byte (else: npm run dashboards)", () => {
  const files = dashboardFiles();
  assert.deepEqual(readdirSync(folder).toSorted(), Object.keys(files).toSorted());
  for (const [name, text] of Object.entries(files)) {
    assert.equal(readFileSync(folder + name, "utf8"), text, `${name}: run npm run dashboards`);
  }
});

const boards = Object.values(dashboardFiles()).map((text) => JSON.parse(text) as DashboardJson);
const expressions = boards.flatMap(expressionsOf);

test("Every metric of the lab stands in a panel", () => {
  const shown = expressions.map(({ expr }) => expr).join("\n");
  const missing = Object.values(METRICS).filter(({ name }) => !shown.includes(name));
  assert.deepEqual(missing, []);
});

test("Every panel says what to look for, has a unit, and asks for something that exists", () => {
  const names: string[] = Object.values(METRICS).map(({ name }) => name);
  for (const { title, description, unit, expr } of expressions) {
    assert.ok(description.length > 10 && unit !== "", title);
    for (const [found] of expr.matchAll(/\blab_\w+/g)) {
      const base = found.replace(/_bucket$/, "");
      assert.ok(names.includes(base), `${title}: ${found} is no metric of the lab`);
    }
  }
});
