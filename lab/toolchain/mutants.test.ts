/** A fault that cannot be built in any more tells nothing: whoever rewrites a line of the core gives it a new one. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SOURCE_ROOT } from "./files.ts";
import { MUTATED_FILES } from "./testdata/mutants.ts";

test("Each fault of the mutants stands for a text that is exactly once in its file", () => {
  const stale = MUTATED_FILES.flatMap(({ file, changes }) => {
    const path = `${SOURCE_ROOT}/${file}`;
    const source = existsSync(path) ? readFileSync(path, "utf8") : "";
    return changes.filter(([text]) => source.split(text).length !== 2).map(([text]) => `${file}: ${text}`);
  });
  assert.deepEqual(stale, []);
});
