import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffWith, budgetWith, policyWith } from "../../policy/testdata/policies.ts";
import { always, bench, FAILED } from "../testdata/upstream.ts";

const two = policyWith({
  maxAttempts: 3,
  backoff: backoffWith({ baseMs: 100 }),
  budget: budgetWith({ kind: "concurrent", ratio: 0, minConcurrent: 2 }),
});

test("of calls that fail at once only as many are retried as may be under way, and each frees its place at the next decision", () => {
  const { clock, up, answers, ask } = bench(two, always(FAILED, 10));
  for (let n = 0; n < 5; n += 1) ask();
  clock.runUntilIdle();
  assert.equal(up.sent.length, 5 + 2 + 2, "two are retried, and the same two again");
  assert.equal(answers.filter(({ reply }) => reply.stop === "budget_exhausted").length, 3);
  ask();
  clock.runUntilIdle();
  assert.equal(answers.at(-1)?.reply.stop, "attempts_exhausted", "the places are free again");
});

test("a caller who leaves during the wait before a retry frees its place", () => {
  const { clock, answers, ask } = bench(two, always(FAILED, 10));
  const leave = [ask(), ask()];
  clock.runUntil(50);
  for (const each of leave) each();
  ask();
  ask();
  clock.runUntilIdle();
  assert.deepEqual(
    answers.map(({ reply }) => reply.stop),
    ["attempts_exhausted", "attempts_exhausted"],
  );
});
