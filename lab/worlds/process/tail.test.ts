import assert from "node:assert/strict";
import { test } from "node:test";
import { createTail } from "./tail.ts";

test("The last twenty lines are kept, oldest first", () => {
  const tail = createTail();
  for (let n = 1; n <= 1000; n++) tail.push(`line ${n}\n`);
  assert.equal(tail.lines().length, 20);
  assert.equal(tail.lines()[0], "line 981");
  assert.equal(tail.lines()[19], "line 1000");
});

test("A line that arrives in pieces is one line, and one without an end counts too", () => {
  const tail = createTail();
  tail.push("a");
  tail.push("b\nc");
  assert.deepEqual(tail.lines(), ["ab", "c"]);
  tail.push("d\n");
  assert.deepEqual(tail.lines(), ["ab", "cd"]);
});

test("A program that prints a megabyte without a line end costs no more than one line", () => {
  const tail = createTail();
  for (let n = 0; n < 1024; n++) tail.push("x".repeat(1024));
  assert.equal(tail.lines().length, 1);
  assert.equal(tail.lines()[0]?.length, 500);
});
