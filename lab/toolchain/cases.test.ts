/** docs/cases.md has a test for each case, which says so in a comment above it: renaming the test edits no page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesUnder, SOURCE_ROOT } from "./files.ts";

const read = (path: string): string => readFileSync(`${SOURCE_ROOT}/${path}`, "utf8");

const rows = [...read("docs/cases.md").matchAll(/^\| (\d+) \|[^|]+\| `([^`]+)` \| .+ \|$/gm)].map(
  ([, number = "", file = ""]) => ({ number: Number(number), file }),
);
const listed = new Set(rows.map(({ number, file }) => `${number}: ${file}`));

/** Each mark stands directly above a test, or above another mark. */
const MARK = /^ *\/\/ Case (\d+) of docs\/cases\.md\.\n(?= *(?:\/\/ Case |test\(|withRedis\())/gm;

const marked = filesUnder(SOURCE_ROOT)
  .filter((path) => path.endsWith(".test.ts"))
  .flatMap((path) => [...read(path).matchAll(MARK)].map(([, number = ""]) => `${number}: ${path}`));

test("Every case from 1 to 20 has a row", () => {
  const numbers = [...new Set(rows.map(({ number }) => number))];
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
});

test("Every row has a test in the file that it names, and every test of a case has a row", () => {
  assert.deepEqual([...new Set(marked)].toSorted(), [...listed].toSorted());
});
