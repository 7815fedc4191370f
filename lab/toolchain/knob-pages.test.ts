/** .env.example and docs/knobs.md say what the table of knobs says, no more and no less. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseDotenv } from "../../services/settings/dotenv.ts";
import { ruleOf } from "../../services/settings/knobs/knob.ts";
import { KNOBS } from "../../services/settings/knobs/knobs.ts";
import { readLayers, readValues } from "../../services/settings/values.ts";
import { KNOB_PAGES } from "./knob-pages.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const example = read(".env.example");

/** The example with every setting switched on. */
const switchedOn = parseDotenv(example.replaceAll(/^# (?=[A-Z][A-Z0-9_]*=)/gm, ""));

for (const [path, text] of Object.entries(KNOB_PAGES)) {
  test(`${path} is up to date (npm run docs writes it)`, () => {
    assert.equal(read(path), text());
  });
}

test("Every line of .env.example is a comment, so that a copy changes nothing", () => {
  assert.deepEqual(parseDotenv(example).settings, {});
});

test("With its comment signs taken away, .env.example sets every knob to its default", () => {
  assert.deepEqual(switchedOn.problems, []);
  assert.deepEqual(switchedOn.settings, readValues({}).effective());
});

test("A .env with every default of the example in it is accepted", () => {
  const layer = { kind: "file", settings: switchedOn.settings } as const;
  assert.deepEqual(readLayers([layer]).effective(), readValues({}).effective());
});

test("Each knob stands in .env.example under its meaning and its rule", () => {
  for (const knob of KNOBS) {
    const [meaning, rule] = example
      .split("\n")
      .slice(example.split("\n").findIndex((line) => line.startsWith(`# ${knob.name}=`)) - 2);
    assert.equal(meaning, `# ${knob.doc}`);
    assert.equal(rule?.toLowerCase(), `# ${ruleOf(knob)}.`.toLowerCase());
  }
});

test("Each knob has one row in docs/knobs.md, with its meaning", () => {
  const rows = read("docs/knobs.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  assert.equal(rows.length, KNOBS.length);
  for (const knob of KNOBS) {
    const own = rows.filter((line) => line.startsWith(`| \`${knob.name}\``));
    assert.equal(own.length, 1, knob.name);
    assert.ok(own[0]?.includes(knob.doc), knob.name);
  }
});
