import assert from "node:assert/strict";
import { test } from "node:test";
import { contextWith } from "../../runs/testdata/context.ts";
import { ablate } from "./experiment.ts";
import { groupOf } from "./own-policy.ts";

test("A policy of one's own is ablated by the parts that it has and the defences that it lacks", async () => {
  const context = contextWith({ POLICY: "budgeted", DURATION_S: "3" });
  const { policy, arms } = groupOf(context, "budgeted");
  const names = arms.map(({ name }) => name);
  assert.equal(policy, "budgeted");
  assert.equal(names[0], "budgeted");
  for (const part of ["- jitter", "- budget", "- deadline", "- retries"]) assert.ok(names.includes(part), part);
  for (const none of ["- circuit breaker", "- second copies"]) assert.ok(!names.includes(none), none);
  assert.ok(names.includes("+ circuit breaker"));
  const few = { policy, arms: arms.filter(({ name }) => ["budgeted", "- budget"].includes(name)) };
  const { groups } = await ablate(context, 1, [few]);
  const [own, without] = groups[0]?.arms ?? [];
  assert.ok((without?.metrics.amplification?.median ?? 0) > (own?.metrics.amplification?.median ?? 9));
});

test("Where only the runs of an arm that look at later set something themselves, the note names those runs", async () => {
  const notes: string[] = [];
  const context = { ...contextWith({ DURATION_S: "3" }), note: (text: string) => notes.push(text) };
  await ablate(context, 1, [{ policy: "naive", arms: [{ name: "naive", settings: {} }] }]);
  assert.deepEqual(notes, [
    'DURATION_S=3 does not hold in "naive, succeeded later": there the experiment sets it itself.',
  ]);
});

test("A part that the policy has at one hop alone is left out there", () => {
  const { arms } = groupOf(contextWith({ EDGE_BREAKER: "rate" }), "naive");
  assert.deepEqual(arms.find(({ name }) => name === "- circuit breaker")?.settings, {
    BREAKER: "none",
    EDGE_BREAKER: "none",
  });
});
