/** docs/cases.md names a test for each case; a test that was renamed must not leave its row behind. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;

interface Row {
  readonly number: number;
  readonly file: string;
  readonly title: string;
}

const ROW = /^\| (\d+) \|[^|]+\| `([^`]+)` \| (.+) \|$/;

const rows: readonly Row[] = readFileSync(`${root}/docs/cases.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number, file = "", title = ""] = ROW.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), file, title }];
  });

/** Whether `title` is the whole first argument of a test of `file`. */
function hasTest({ file, title }: Row): boolean {
  const path = `${root}/${file}`;
  if (!existsSync(path)) return false;
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`\\btest\\(\\s*["\`]${literal}["\`],`).test(readFileSync(path, "utf8"));
}

test("Every case from 1 to 20 has a test", () => {
  const numbers = [...new Set(rows.map(({ number }) => number))];
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
});

test("Every test that docs/cases.md names is there, under exactly that title", () => {
  const missing = rows.filter((row) => !hasTest(row)).map(({ file, title }) => `${file}: ${title}`);
  assert.deepEqual(missing, []);
});
