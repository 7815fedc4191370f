import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError } from "../../services/settings/values.ts";
import { runArms, seedsFrom, type Arm } from "./run-arms.ts";
import { contextWith } from "./testdata/context.ts";

const ARMS: readonly Arm[] = [
  // The long one first: it ends last.
  { name: "long", settings: { DURATION_S: "8" } },
  { name: "short", settings: { DURATION_S: "1" } },
];

test("What is read comes back by arm and by seed, whatever run ends first", async () => {
  const trial = { arms: ARMS, seeds: [4, 5] };
  const found = await runArms(contextWith(), trial, ({ summary }, { name }) => [
    name,
    summary.seed,
    summary.durationSeconds,
  ]);
  assert.deepEqual(
    found.map(({ arm, runs }) => [arm.name, runs]),
    [
      ["long", [4, 5].map((seed) => ["long", seed, 8])],
      ["short", [4, 5].map((seed) => ["short", seed, 1])],
    ],
  );
});

test("The faults of all arms are told at once, each once, and nothing is run", async () => {
  const arms = [
    { name: "a", settings: { RATE: "fast" } },
    { name: "b", settings: { CAPACITY: "much" } },
  ];
  await assert.rejects(
    runArms(contextWith(), { arms, seeds: [1, 2] }, () => assert.fail("something was run")),
    (error) => error instanceof ConfigError && error.problems.length === 2,
  );
});

test("Seeds begin with the one that the user gave", () => {
  assert.deepEqual(seedsFrom(contextWith({ SEED: "7" }), 3), [7, 8, 9]);
});
