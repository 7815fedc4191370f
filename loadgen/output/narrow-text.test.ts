import assert from "node:assert/strict";
import { test } from "node:test";
import { narrowText } from "./narrow-text.ts";

test("What fits stays as it is", () => assert.equal(narrowText("one line\n  another"), "one line\n  another"));

test("A long line is broken between words, with its indent; a longer word is not broken", () => {
  assert.equal(narrowText("  one two three", 9), "  one two\n  three");
  assert.equal(narrowText("\u001b[31m  - one two\u001b[39m", 7), "\u001b[31m  - one\n  two\u001b[39m");
  assert.equal(narrowText("see docs/frontier-and-maps.md now", 9), "see\ndocs/frontier-and-maps.md\nnow");
});
