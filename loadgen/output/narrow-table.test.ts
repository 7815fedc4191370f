import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { TERMINAL_WIDTH } from "./narrow-text.ts";
import { narrowTable } from "./narrow-table.ts";

const widest = (text: string): number =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split("\n")
      .map((line) => line.length),
  );

test("A table of many columns is at most 80 wide, whatever stands in it, and nothing of it is lost", () => {
  const word = fc.stringMatching(/^[a-z0-9%.]{1,12}$/u);
  const cell = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
  const table = fc.integer({ min: 1, max: 14 }).chain((columns) => {
    const row = fc.array(cell, { minLength: columns, maxLength: columns });
    return fc.record({ head: row, rows: fc.array(row, { maxLength: 4 }) });
  });
  fc.assert(
    fc.property(table, ({ head, rows }) => {
      const text = narrowTable({ head, rows });
      assert.ok(widest(text) <= TERMINAL_WIDTH, text);
      for (const piece of [...head, ...rows.flat()].flatMap((one) => one.split(" "))) assert.ok(text.includes(piece));
    }),
    { numRuns: 50 },
  );
});

test("A number keeps its unit, a cell its indent, and a head of a part goes over all columns of each table", () => {
  const scene = { colSpan: 4, content: "a scene with a name that is longer than all of what stands below it" };
  const head = ["second copies", "succeeded", "p50", "held back"];
  const row = ["  after 20 ms, for everyone", "14.8 % (10.0–25.3)", "1.88 s (1.80–2.00)", "0 / 2,217"];
  assert.equal(
    narrowTable({ head, rows: [[scene], row] }, 52),
    [
      "┌─────────────────┬───────────────┬──────────────┐",
      "│ second copies   │ succeeded     │ p50          │",
      "├─────────────────┴───────────────┴──────────────┤",
      "│ a scene with a name that is longer than all of │",
      "│ what stands below it                           │",
      "│   after 20 ms,  │ 14.8 %        │ 1.88 s       │",
      "│   for everyone  │ (10.0–25.3)   │ (1.80–2.00)  │",
      "└─────────────────┴───────────────┴──────────────┘",
      "┌─────────────────────────────┬───────────┐",
      "│ second copies               │ held back │",
      "├─────────────────────────────┴───────────┤",
      "│ a scene with a name that is longer than │",
      "│ all of what stands below it             │",
      "│   after 20 ms, for everyone │ 0 / 2,217 │",
      "└─────────────────────────────┴───────────┘",
    ].join("\n"),
  );
});

test("A table that fits stays as it is", () => {
  assert.equal(
    narrowTable({ head: ["a", "b c"], rows: [["1", "2 %"]] }),
    "┌───┬─────┐\n│ a │ b c │\n├───┼─────┤\n│ 1 │ 2 % │\n└───┴─────┘",
  );
});
