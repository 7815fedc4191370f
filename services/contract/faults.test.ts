import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsOf } from "./faults.ts";

test("a change is checked setting by setting, and what it leaves out is no fault", () => {
  assert.deepEqual(problemsOf({}), []);
  assert.deepEqual(problemsOf({ capacity: 90, errorRate: 0, latencyMs: 0 }), []);
  assert.deepEqual(problemsOf({ capacity: "90", errorRate: Number.NaN, latencyMs: -1 }), [
    'capacity must be 0.001 to 100000 calls per second, not "90"',
    "errorRate must be 0 to 1, not null",
    "latencyMs must be 0 to 600000 milliseconds, not -1",
  ]);
});
