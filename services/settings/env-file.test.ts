import assert from "node:assert/strict";
import { test } from "node:test";
import { envFileOf } from "./env-file.ts";

test("Each setting is one line in single quotes, sorted by name", () => {
  const text = envFileOf({
    RATE: "60",
    FAULT_TIMELINE: "at 5s capacity 90; at 15s capacity 200",
    BUDGET: "none",
  });
  assert.equal(text, "BUDGET='none'\nFAULT_TIMELINE='at 5s capacity 90; at 15s capacity 200'\nRATE='60'\n");
});

test("A value that Compose would read as something else is refused, with its name", () => {
  for (const value of ["it's", "a\nB=1", "a$HOME", "a\\n"]) {
    assert.throws(() => envFileOf({ SCENARIO: value }), /SCENARIO=.*Leave it out/s);
  }
});
