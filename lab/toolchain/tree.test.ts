/** What must not be in the tree at all, whoever wrote it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesUnder, SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;
const code = filesUnder(root).filter((path) => /\.(ts|[cm]?js|sh|ya?ml)$|(^|\/)(Makefile|Dockerfile|run)$/.test(path));

/** "path:line: text" for every line that matches. */
function lines(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    readFileSync(`${root}/${path}`, "utf8")
      .split("\n")
      .flatMap((text, i) => (pattern.test(text) ? [`${path}:${i + 1}: ${text.trim()}`] : [])),
  );
}

test("No test is skipped, left for later, or run alone", () => {
  const tests = code.filter((path) => path.endsWith(".test.ts"));
  assert.ok(tests.length > 0);
  // Written in two halves, so that this file does not find itself.
  const calls = new RegExp(
    String.raw`\b(test|it|describe|suite|t)\.(sk` + String.raw`ip|to` + String.raw`do|on` + String.raw`ly)\b`,
  );
  const options = new RegExp(String.raw`\b(sk` + String.raw`ip|to` + String.raw`do|on` + String.raw`ly): *["'\`t]`);
  assert.deepEqual(lines(tests, calls), []);
  assert.deepEqual(lines(tests, options), []);
});

test("No line of code says that its work is still to be done", () => {
  assert.deepEqual(
    lines(code, new RegExp(String.raw`\b(TO` + String.raw`DO|FIX` + String.raw`ME|XX` + String.raw`X)\b`)),
    [],
  );
});

test("No linter or type complaint is silenced without a reason, behind it or in a comment above it", () => {
  const silence = /(oxlint|eslint)-disable|@ts-(ignore|expect-error|nocheck)/u;
  const reasoned = / -- \S|@ts-expect-error \S/u;
  const comment = /^\s*(\/\/|\/?\*)/u;
  const bare = code
    .filter((path) => path !== "lab/toolchain/tree.test.ts")
    .flatMap((path) => {
      const text = readFileSync(`${root}/${path}`, "utf8").split("\n");
      return text.flatMap((line, i) =>
        silence.test(line) && !reasoned.test(line) && !comment.test(text[i - 1] ?? "") ? [`${path}:${i + 1}`] : [],
      );
    });
  assert.deepEqual(bare, []);
});
