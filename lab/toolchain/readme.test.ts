/** The first page that anybody reads knows every verb and leads to every other page. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const readme = read("README.md");
const verbs = /^VERBS := (.+)$/m.exec(read("lab/cli/verbs.mk"))?.[1]?.split(" ") ?? [];

test("README's table and `make help` name every verb that make knows", () => {
  assert.ok(verbs.length > 10);
  const table = readme.split("\n").filter((line) => line.startsWith("| `"));
  const help = read("lab/cli/usage.txt");
  for (const verb of verbs) {
    assert.ok(
      table.some((row) => new RegExp(`\\bmake ${verb}\\b`).test(row)),
      `README.md has no row for make ${verb}`,
    );
    assert.match(help, new RegExp(`^  (\\w+, )*${verb}\\b`, "m"), `make help does not name ${verb}`);
  }
});

test("README links every page of docs, and nothing that is not there", () => {
  const linked = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
  for (const path of linked) assert.ok(existsSync(`${root}/${path}`), `README.md links ${path}, which is not there`);
  const pages = readdirSync(`${root}/docs`).filter((name) => name.endsWith(".md"));
  assert.deepEqual(
    pages.filter((name) => !linked.includes(`docs/${name}`)),
    [],
    "README.md leads nowhere near these",
  );
});
