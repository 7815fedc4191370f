import assert from "node:assert/strict";
import { test } from "node:test";
import { createInterrupts } from "./interrupts.ts";

test("The first signal stops the run, its echoes within half a second say nothing new, a later one means now", () => {
  const meaningAt = createInterrupts();
  assert.deepEqual([1000, 1020, 1500, 1501].map(meaningAt), ["stop", "same", "same", "exit"]);
});

test("Half a second counts from the first signal, so that hammering on the keys ends it, too", () => {
  const meaningAt = createInterrupts();
  assert.deepEqual([0, 200, 400, 600].map(meaningAt), ["stop", "same", "same", "exit"]);
});
