import assert from "node:assert/strict";
import { test } from "node:test";
import { inMarkdown, textTable } from "./text.ts";

const table = (): string =>
  textTable(["policy", "\u001b[1mp50\u001b[22m"], [[{ colSpan: 2, content: "a scene" }], ["  + one | more", "10 ms"]]);

test("A table of Markdown has no colours, its parts in bold, and a bar within a cell as text", () => {
  assert.equal(inMarkdown(table), "\n| policy | p50 |\n|---|---|\n| **a scene** |  |\n| + one \\| more | 10 ms |\n");
});

test("After a table of Markdown, also one that failed, tables are those of a terminal again", () => {
  assert.throws(() =>
    inMarkdown(() => {
      throw new Error("no");
    }),
  );
  assert.match(table(), /^┌─/u);
});
